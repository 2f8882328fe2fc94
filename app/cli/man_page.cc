/* The man page, in the man macros of roff. */
#include "manual.hpp"

/* Text for roff: backslashes and hyphens literal, no line that starts with a control character. */
static std::string roff(const std::string &text)
{
    std::string out;
    bool start = true;
    for (const char c : text) {
        if (start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if (c == '|') out += "|\\:";   /* a line may be broken here */
        else out += c;
        start = c == '\n';
    }
    return out;
}

static std::string option_tag(const CLI::Option *opt)
{
    std::string tag;
    for (const auto &name : names_of(opt))
        tag += (tag.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (takes_value(opt)) tag += " \\fI" + roff(opt->get_type_name()) + "\\fR";
    return tag;
}

static std::string option_entry(const std::string &tag, const CLI::Option *opt)
{
    std::string text = opt->get_description();
    if (opt->get_required()) text += " (required)";
    if (!opt->get_default_str().empty()) text += " [" + opt->get_default_str() + "]";
    return ".TP\n" + tag + "\n" + roff(text) + ".\n";
}

static std::string verb_section(const Leaf &leaf)
{
    std::string page = ".SS " + roff(full_name(leaf.app).substr(7)) + "\n" +
                       roff(leaf.app->get_description()) + ".\n.PP\n\\fB" +
                       roff(full_name(leaf.app)) + "\\fR [\\fIoptions\\fR]";
    for (const CLI::Option *opt : positionals(leaf.app)) {
        const std::string more = opt->get_items_expected_max() > 1 ? "..." : "";
        const std::string name = "\\fI" + opt->get_name(true) + "\\fR" + more;
        page += opt->get_required() ? " " + name : " [" + name + "]";
    }
    page += "\n";
    for (const CLI::Option *opt : positionals(leaf.app))
        if (!opt->nonpositional()) page += option_entry("\\fI" + opt->get_name(true) + "\\fR", opt);
    for (const CLI::Option *opt : named_options(leaf.app))
        if (opt->get_group() != "Common options" && opt != leaf.app->get_help_ptr())
            page += option_entry(option_tag(opt), opt);
    if (!leaf.app->get_footer().empty()) {
        const std::string footer = leaf.app->get_footer();
        page += ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
    }
    return page;
}

std::string man_page(const CLI::App &root)
{
    std::string page =
        ".TH TONGYU 1 \"\" \"tongyu " TY_VERSION_STRING "\" \"User Commands\"\n.ad l\n"
        ".SH NAME\ntongyu \\- signatures, encryption and hashes with SM2, SM3, SM4 and ML-DSA, and "
        "sealed files\n"
        ".SH SYNOPSIS\n\\fBtongyu\\fR \\fIverb\\fR [\\fIoptions\\fR] [\\fIfile\\fR]\n"
        ".SH DESCRIPTION\n" +
        roff(root.get_description()) +
        "\n"
        "The name \\fB\\-\\fR is standard input or output. Files are read in pieces, and an output "
        "file appears under "
        "its name only when it is complete; an existing file is replaced only with "
        "\\fB\\-\\-force\\fR. Private keys, "
        "shared secrets and decrypted files are readable only by their owner.\n"
        ".SH COMMON OPTIONS\n";
    for (const CLI::Option *opt : named_options(&root)) page += option_entry(option_tag(opt), opt);
    page += ".SH VERBS\n";
    for (const auto &leaf : leaves_of(root)) page += verb_section(leaf);
    page += ".SH EXIT STATUS\n";
    for (const auto &row : exit_meanings)
        page += ".TP\n" + std::to_string(row.status) + "\n" + roff(row.text) + ".\n";
    page += ".SH ENVIRONMENT\n.TP\n\\fBTMPDIR\\fR\nThe directory for decrypted data that goes to "
            "standard output: it is kept in a file without a name until all of it is verified.\n"
            ".SH SEE ALSO\n\\fBopenssl\\fR(1), \\fBsha256sum\\fR(1)\n";
    return page;
}
