// SM4: the modes that gmsm or Go's standard library have for its block cipher.

package main

import (
	stdcipher "crypto/cipher"

	"github.com/emmansun/gmsm/cbcmac"
	"github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm4"
)

func sm4Task(j job) *task {
	if j.op == "xts-enc" || j.op == "xts-gb-enc" || j.op == "xts-dec" || j.op == "xts-gb-dec" {
		return xts(j)
	}
	block, err := sm4.NewCipher(j.key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(j.input)+16)
	text := func() []byte { return out[:len(j.input)] }
	stream := func(start func(stdcipher.Block, []byte) stdcipher.Stream) *task {
		return &task{func() bool {
			start(block, j.iv).XORKeyStream(out[:len(j.input)], j.input)
			return true
		}, text}
	}
	cbc := func(m stdcipher.BlockMode) *task {
		setter := m.(interface{ SetIV([]byte) })
		return &task{func() bool {
			setter.SetIV(j.iv)
			m.CryptBlocks(out[:len(j.input)], j.input)
			return true
		}, text}
	}
	ecb := func(m stdcipher.BlockMode) *task {
		return &task{func() bool { m.CryptBlocks(out[:len(j.input)], j.input); return true }, text}
	}
	switch j.op {
	case "ecb-enc":
		return ecb(cipher.NewECBEncrypter(block))
	case "ecb-dec":
		return ecb(cipher.NewECBDecrypter(block))
	case "cbc-enc":
		return cbc(stdcipher.NewCBCEncrypter(block, j.iv))
	case "cbc-dec":
		return cbc(stdcipher.NewCBCDecrypter(block, j.iv))
	case "cfb-enc":
		return stream(stdcipher.NewCFBEncrypter)
	case "cfb-dec":
		return stream(stdcipher.NewCFBDecrypter)
	case "ofb":
		return stream(stdcipher.NewOFB)
	case "ctr":
		return stream(stdcipher.NewCTR)
	case "cmac":
		mac, tag := cbcmac.NewCMAC(block, 16), []byte(nil)
		return &task{func() bool { tag = mac.MAC(j.input); return true }, func() []byte { return tag }}
	case "gcm-seal", "gcm-open", "gmac":
		aead, err := stdcipher.NewGCM(block)
		if err != nil {
			return nil
		}
		return aeadTask(j, aead)
	case "ccm-seal", "ccm-open":
		aead, err := cipher.NewCCM(block)
		if err != nil {
			return nil
		}
		return aeadTask(j, aead)
	}
	return nil
}

func aeadTask(j job, aead stdcipher.AEAD) *task {
	out, made := make([]byte, 0, len(j.input)+16), []byte(nil)
	output := func() []byte { return made }
	switch j.op {
	case "gcm-seal", "ccm-seal":
		return &task{func() bool { made = aead.Seal(out, j.iv, j.input, j.aad); return true }, output}
	case "gmac":
		return &task{func() bool { made = aead.Seal(out, j.iv, nil, j.input); return true }, output}
	}
	return &task{func() bool {
		var err error
		made, err = aead.Open(out, j.iv, j.input, j.aad)
		return err == nil
	}, output}
}

// gmsm's XTS objects take the tweak when they are made, so that key setup is part of every message.
func xts(j job) *task {
	type starter func(cipher.CipherCreator, []byte, []byte, []byte) (stdcipher.BlockMode, error)
	start := map[string]starter{
		"xts-enc": cipher.NewXTSEncrypter, "xts-gb-enc": cipher.NewGBXTSEncrypter,
		"xts-dec": cipher.NewXTSDecrypter, "xts-gb-dec": cipher.NewGBXTSDecrypter,
	}[j.op]
	out := make([]byte, len(j.input))
	return &task{func() bool {
		m, err := start(sm4.NewCipher, j.key[:16], j.key[16:], j.iv)
		if err == nil {
			m.CryptBlocks(out, j.input)
		}
		return err == nil
	}, func() []byte { return out }}
}
