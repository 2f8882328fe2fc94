//! build/arena.html: all results on one self-contained page.

mod chart;

use crate::clock;
use crate::compare::{self, Cell};
use crate::families::{self, Family, Op};
use crate::results::{Row, OURS};
use anyhow::{Context, Result};
use askama::Template;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Template)]
#[template(path = "arena.html")]
struct Page {
    machine: Machine,
    version: String,
    families: Vec<Section>,
}

struct Machine {
    cpu: String,
    features: String,
    system: String,
    counter: String,
    date: String,
}

struct Section {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    summary: String,
    libs: Vec<Lib>,
    sizes: Vec<String>,
    /// The ratio table, a row per operation; operations of one size have one wide cell.
    table: Vec<TableRow>,
    cards: Vec<Card>,
    rows: Vec<FullRow>,
}

struct Lib {
    name: String,
    colour: String,
    versions: String,
}

struct TableRow {
    title: &'static str,
    anchor: String,
    cells: Vec<RatioCell>,
}

struct RatioCell {
    ratio: String,
    ours: String,
    best: String,
    tip: String,
    /// How strongly to colour, 0 to 100, and in which of two colours.
    strength: u32,
    side: &'static str,
    wide: bool,
}

struct Card {
    title: &'static str,
    anchor: String,
    chart: String,
    caption: String,
    bars: Vec<Bar>,
}

struct Bar {
    who: String,
    colour: String,
    percent: String,
    cost: String,
    /// Tongyu's default tier.
    is_default: bool,
}

struct FullRow {
    op: &'static str,
    size: String,
    who: String,
    version: String,
    min: String,
    median: String,
    cost: String,
    ours: bool,
}

pub fn write(path: &Path, rows: &[Row]) -> Result<()> {
    let sections: Vec<Section> = families::ALL
        .iter()
        .filter(|f| rows.iter().any(|r| r.family == f.name))
        .map(|f| section(f, rows))
        .collect();
    let version = rows.iter().find(|r| r.lib == OURS).map_or(String::new(), |r| r.version.clone());
    let html = Page { machine: Machine::here(), version, families: sections }.render()?;
    std::fs::write(path, html).with_context(|| path.display().to_string())
}

/// Colours are names of variables in the style sheet, so that they change with light and dark.
fn colour(lib: &str) -> String {
    let known = [OURS, "openssl", "openssl-system", "tongsuo", "botan", "libgcrypt", "gmsm"];
    format!("var(--{})", known.iter().find(|k| **k == lib).unwrap_or(&"other"))
}

/// As [`colour`], but paler for a tier of Tongyu other than the default.
fn colour_of(lib: &str, default_tier: bool) -> String {
    if lib == OURS && !default_tier {
        "var(--tongyu-low)".into()
    } else {
        colour(lib)
    }
}

fn section(family: &'static Family, rows: &[Row]) -> Section {
    let measured = compare::cells(rows, family);
    let ratios: Vec<f64> =
        measured.iter().flat_map(|(_, cells)| cells.iter().filter_map(Cell::ratio)).collect();
    let sized = family.sizes != [0];
    Section {
        name: family.name,
        title: family.title,
        about: family.about,
        summary: summary(&ratios),
        libs: libs(family, rows),
        sizes: if sized {
            family.sizes.iter().map(|&s| compare::size_name(s)).collect()
        } else {
            vec![]
        },
        table: measured.iter().map(|(op, cells)| table_row(family, op, cells)).collect(),
        cards: measured.iter().map(|(op, _)| card(family, op, rows)).collect(),
        rows: rows
            .iter()
            .filter(|r| r.family == family.name)
            .map(|r| full_row(family, r))
            .collect(),
    }
}

fn summary(ratios: &[f64]) -> String {
    let Some(mean) = compare::mean(ratios) else {
        return "Tongyu does not take part in this family yet.".into();
    };
    let wins = ratios.iter().filter(|r| **r < 1.0).count();
    let overall = if mean < 1.0 {
        format!("{}× faster than", compare::short(1.0 / mean))
    } else {
        format!("{}× slower than", compare::short(mean))
    };
    format!(
        "Tongyu is first in {wins} of {} comparisons; in the geometric mean it is {overall} the \
         best peer of each.",
        ratios.len()
    )
}

fn libs(family: &Family, rows: &[Row]) -> Vec<Lib> {
    let mut versions: BTreeMap<(bool, &str), Vec<&str>> = BTreeMap::new();
    for r in rows.iter().filter(|r| r.family == family.name) {
        let known = versions.entry((r.lib != OURS, &r.lib)).or_default();
        if !known.contains(&r.version.as_str()) {
            known.push(&r.version);
        }
    }
    let lib = |((_, name), versions): ((bool, &str), Vec<&str>)| Lib {
        name: name.into(),
        colour: colour(name),
        versions: versions.join(", "),
    };
    versions.into_iter().map(lib).collect()
}

fn anchor(family: &Family, op: &Op) -> String {
    format!("{}-{}", family.name, op.name)
}

fn table_row(family: &Family, op: &Op, cells: &[Cell]) -> TableRow {
    let wide = cells.len() == 1 && family.sizes.len() > 1;
    TableRow {
        title: op.title,
        anchor: anchor(family, op),
        cells: cells.iter().map(|c| ratio_cell(c, wide)).collect(),
    }
}

fn ratio_cell(cell: &Cell, wide: bool) -> RatioCell {
    let cost = |r: Option<&Row>| r.map_or("–".into(), |r| compare::cost(r.cycles_min, r.size));
    let tell =
        |r: Option<&Row>| r.map_or("none".into(), |r| format!("{} {}", r.who(), cost(Some(r))));
    let bare = |r| cost(r).replace(" c/B", "");
    // A factor of four in either direction is full colour.
    let strength = cell.ratio().map_or(0.0, |r| (r.log(4.0).abs().min(1.0) * 100.0).max(8.0));
    RatioCell {
        ratio: cell.ratio().map_or("–".into(), compare::short),
        ours: bare(cell.ours),
        best: bare(cell.best),
        tip: format!("{} against {}", tell(cell.ours), tell(cell.best)),
        strength: strength as u32,
        side: match cell.ratio() {
            None => "none",
            Some(r) if r < 1.0 => "win",
            Some(_) => "loss",
        },
        wide,
    }
}

fn card(family: &'static Family, op: &'static Op, rows: &[Row]) -> Card {
    let sizes = family.sizes_of(op);
    // The bars show a size at which the cost of set-up is negligible and the data fit in the
    // second-level cache.
    let size = if sizes.contains(&(16 << 10)) { 16 << 10 } else { sizes[sizes.len() - 1] };
    let mut at_size: Vec<&Row> = compare::rows_of(rows, family, op, size).collect();
    at_size.sort_by(|a, b| a.cycles_min.total_cmp(&b.cycles_min));
    let slowest = at_size.last().map_or(1.0, |r| r.cycles_min);
    let default_tier = compare::cell(rows, family, op, size).ours.map(Row::who);
    let bar = |r: &&Row| {
        let is_default = Some(r.who()) == default_tier;
        Bar {
            who: r.who(),
            colour: colour_of(&r.lib, is_default),
            percent: format!("{:.1}", (r.cycles_min / slowest * 100.0).max(0.4)),
            cost: compare::cost(r.cycles_min, r.size),
            is_default,
        }
    };
    Card {
        title: op.title,
        anchor: anchor(family, op),
        chart: if sizes.len() > 1 { chart::curves(family, op, rows) } else { String::new() },
        caption: if size == 0 {
            "cycles per operation".into()
        } else {
            format!("at {} bytes", compare::size_name(size))
        },
        bars: at_size.iter().map(bar).collect(),
    }
}

fn full_row(family: &Family, r: &Row) -> FullRow {
    FullRow {
        op: family.op(&r.op).map_or("?", |o| o.title),
        size: if r.size == 0 { String::new() } else { compare::size_name(r.size) },
        who: r.who(),
        version: r.version.clone(),
        min: format!("{:.1}", r.cycles_min),
        median: format!("{:.1}", r.cycles_median),
        cost: compare::cost(r.cycles_min, r.size),
        ours: r.lib == OURS,
    }
}

impl Machine {
    fn here() -> Machine {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let info = read("/proc/cpuinfo");
        let field = |names: &[&str]| {
            let line = info
                .lines()
                .find(|l| names.iter().any(|n| l.split(':').next().unwrap_or("").trim() == *n));
            line.and_then(|l| l.split_once(':'))
                .map(|(_, value)| value.trim().to_string())
                .unwrap_or_default()
        };
        let flags = field(&["flags", "Features"]);
        let interesting = [
            "aes",
            "pclmulqdq",
            "avx2",
            "bmi2",
            "adx",
            "vaes",
            "vpclmulqdq",
            "gfni",
            "avx512bw",
            "avx512ifma",
            "sm3",
            "sm4",
            "pmull",
            "asimd",
            "sve",
        ];
        let has = interesting.iter().filter(|f| flags.split(' ').any(|g| g == **f));
        let cpus = info.lines().filter(|l| l.starts_with("processor")).count();
        let hertz = clock::Clock::start().map_or(0.0, |c| c.hertz);
        Machine {
            cpu: [field(&["model name"]), std::env::consts::ARCH.into()]
                .into_iter()
                .find(|s| !s.is_empty())
                .unwrap_or_default(),
            features: has.copied().collect::<Vec<_>>().join(" "),
            system: format!(
                "Linux {}, {cpus} CPU{}",
                read("/proc/sys/kernel/osrelease").trim(),
                if cpus == 1 { "" } else { "s" }
            ),
            counter: format!("{:.2} GHz", hertz / 1e9),
            date: today(),
        }
    }
}

/// The civil date of the system clock, in UTC (civil_from_days of Hinnant's "chrono-Compatible
/// Low-Level Date Algorithms").
fn today() -> String {
    let seconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| d.as_secs());
    let z = (seconds / 86_400) as i64 + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) = (
        day_of_year - (153 * shifted + 2) / 5 + 1,
        if shifted < 10 { shifted + 3 } else { shifted - 9 },
    );
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::row;
    use crate::results::DEFAULT;

    #[test]
    fn the_page_is_self_contained_and_has_the_numbers() {
        let mut rows = vec![
            row("sm2", "sign", 0, OURS, DEFAULT, 71_500.0),
            row("sm2", "sign", 0, "<peer>", "", 143_000.0),
        ];
        for (i, size) in [64, 256, 1024, 16 << 10].into_iter().enumerate() {
            rows.push(row("sm3", "hash", size, OURS, DEFAULT, 10.0 * size as f64 / (i + 1) as f64));
            rows.push(row("sm3", "hash", size, "openssl", "", 12.0 * size as f64));
        }
        let path = std::env::temp_dir().join(format!("arena-page-{}.html", std::process::id()));
        write(&path, &rows).unwrap();
        let html = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        for part in ["71.5 k", "0.50", "&#60;peer&#62;", "<svg", "16K", "var(--tongyu)", "</html>"]
        {
            assert!(html.contains(part), "{part}");
        }
        for foreign in ["src=", "http://", "https://", "<peer>", "@import"] {
            assert!(!html.replace("http://www.w3.org/2000/svg", "").contains(foreign), "{foreign}");
        }
    }
}
