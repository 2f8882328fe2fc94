/* Tongyu: everything. */
#ifndef TONGYU_TONGYU_H
#define TONGYU_TONGYU_H
#include "tongyu/base.h"
#include "tongyu/box.h"
#include "tongyu/ec.h"
#include "tongyu/ecdsa.h"
#include "tongyu/keccak.h"
#include "tongyu/key.h"
#include "tongyu/mldsa.h"
#include "tongyu/mldsa_key.h"
#include "tongyu/os.h"
#include "tongyu/sha2.h"
#include "tongyu/sm2.h"
#include "tongyu/sm2_many.h"
#include "tongyu/sm3.h"
#include "tongyu/sm4.h"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_mac.h"
#include "tongyu/sm4_many.h"
#include "tongyu/sm4_wrap.h"
#include "tongyu/sm4_xts.h"
#endif
