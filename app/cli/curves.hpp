/* Binary curves by name or from a file. */
#ifndef TONGYU_CLI_CURVES_HPP
#define TONGYU_CLI_CURVES_HPP

#include "context.hpp"
#include "tongyu/ec_any.h"

#include <memory>

/* The parameters of a curve, in memory of their own. */
struct CurveNumbers {
    std::string name, oid;
    std::vector<uint8_t> poly, a, b, x, y, n;
    uint32_t h = 0;
    const ty_ec_curve *own = nullptr;      /* NULL if the library has no kernels for it */

    explicit CurveNumbers(const ty_ec_params &p);
    explicit CurveNumbers(const std::string &file);
    unsigned degree() const;
    std::string polynomial() const;        /* "t^233 + t^74 + 1"; hexadecimal above 7 terms */
    ty_ec_params params() const;           /* points into this */
};

/* Every curve the library knows, SEC 2's first. */
std::vector<CurveNumbers> known_curves();

/* The curve of this name or object identifier, or else the one in the file of this name. */
CurveNumbers find_curve(const std::string &name);

/* The curve c, checked and set up; way and reg as in ty_ec_any_init. */
std::unique_ptr<ty_ec_any> make_curve(const CurveNumbers &c, ty_ec_way way, unsigned reg);

/* The verb speed ec2m. seconds: for all measurements together. */
int speed_ec2m(Context &ctx, double seconds);

#endif
