// SM3: hash, HMAC and PBKDF2.

package main

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"hash"

	"github.com/emmansun/gmsm/sm3"
)

func sm3Task(j job) *task {
	switch j.op {
	case "hash":
		var digest [sm3.Size]byte
		return &task{func() bool {
			digest = sm3.Sum(j.input)
			return true
		}, func() []byte { return digest[:] }}
	case "hmac":
		mac, digest := hmac.New(func() hash.Hash { return sm3.New() }, j.key), []byte(nil)
		return &task{func() bool {
			mac.Reset()
			mac.Write(j.input)
			digest = mac.Sum(digest[:0])
			return true
		}, func() []byte { return digest }}
	case "pbkdf2-1000":
		var made []byte
		return &task{func() bool {
			var err error
			made, err = pbkdf2.Key(func() hash.Hash { return sm3.New() }, string(j.key), j.iv, 1000, 32)
			return err == nil
		}, func() []byte { return made }}
	}
	return nil
}
