// A temporary directory for a test, removed afterwards.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

class TempDir {
public:
    TempDir()
    {
        const char *t = std::getenv("TMPDIR");
        path_ = std::string(t && *t ? t : "/tmp") + "/tongyu-test-XXXXXX";
        if (!mkdtemp(&path_[0])) { std::perror("TempDir"); std::abort(); }
    }
    ~TempDir()
    {
        for (const auto &n : list())
            if (unlink((*this)(n).c_str()) != 0) rmdir((*this)(n).c_str());
        rmdir(path_.c_str());
    }
    TempDir(const TempDir &) = delete;
    TempDir &operator=(const TempDir &) = delete;

    const std::string &path() const { return path_; }
    std::string operator()(const std::string &name) const { return path_ + "/" + name; }
    bool exists(const std::string &name) const
    {
        struct stat s;
        return lstat((*this)(name).c_str(), &s) == 0;
    }
    unsigned mode(const std::string &name) const
    {
        struct stat s;
        return stat((*this)(name).c_str(), &s) == 0 ? (unsigned)s.st_mode & 07777 : 0;
    }
    std::string read(const std::string &name) const
    {
        std::ifstream f((*this)(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(f), {}};
    }
    void write(const std::string &name, const std::string &text) const
    {
        std::ofstream((*this)(name), std::ios::binary) << text;
    }
    std::vector<std::string> list() const   // every entry, hidden ones too, sorted
    {
        std::vector<std::string> v;
        if (DIR *d = opendir(path_.c_str())) {
            while (const dirent *e = readdir(d))
                if (std::string(e->d_name) != "." && std::string(e->d_name) != "..")
                    v.push_back(e->d_name);
            closedir(d);
        }
        std::sort(v.begin(), v.end());
        return v;
    }

private:
    std::string path_;
};
