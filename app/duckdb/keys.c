/* Named keys, known to all connections of this process. */
#include "extension.h"
#include <pthread.h>
#include <string.h>

enum { KEYS = 256 };

static struct entry {
    char name[NAME_MAX_LEN];
    size_t name_len;
    named_key key;
} entries[KEYS];
static size_t count;
static uint64_t numbers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The entry of this name, or NULL. The caller holds the mutex. */
static struct entry *find(const char *name, size_t name_len)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].name_len == name_len && memcmp(entries[i].name, name, name_len) == 0)
            return &entries[i];
    return NULL;
}

const char *keys_add(const char *name, size_t name_len, const uint8_t *bytes, size_t len)
{
    if (!name_len || name_len > NAME_MAX_LEN) return "a name must have 1 to 64 bytes";
    if (!len || len > KEY_MAX) return "a key must have 1 to 256 bytes (16 for SM4)";
    const char *wrong = NULL;
    pthread_mutex_lock(&mutex);
    struct entry *e = find(name, name_len);
    if (!e && count == KEYS) wrong = "there are 256 keys already, the most that fit";
    else {
        if (!e) e = &entries[count++];
        ty_wipe(e, sizeof *e);
        memcpy(e->name, name, name_len);
        memcpy(e->key.bytes, bytes, len);
        e->name_len = name_len;
        e->key.len = len;
        e->key.number = ++numbers;
    }
    pthread_mutex_unlock(&mutex);
    return wrong;
}

bool keys_find(named_key *key, const char *name, size_t name_len)
{
    pthread_mutex_lock(&mutex);
    const struct entry *e = find(name, name_len);
    if (e) *key = e->key;
    pthread_mutex_unlock(&mutex);
    return e;
}

uint64_t keys_number(const char *name, size_t name_len)
{
    pthread_mutex_lock(&mutex);
    const struct entry *e = find(name, name_len);
    const uint64_t number = e ? e->key.number : 0;
    pthread_mutex_unlock(&mutex);
    return number;
}
