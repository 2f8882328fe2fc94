//! The benchmarks of the page "SM4性能优化" of gmsm's wiki (github.com/emmansun/gmsm, edited October
//! 2023), run again: the page's figures for every step of optimisation on an i5-9500, next to those
//! of the current gmsm and of our tiers, on this machine and in one run.

use crate::clock::Clock;
use crate::compare;
use crate::families::WIKI;
use crate::results::{Row, OURS};
use comfy_table::{presets, Cell, CellAlignment, Table};

/// The wiki's steps: portable Go; one block at a time with AES-NI; many blocks at once; GHASH in
/// assembly; the last figures it gives.
pub const STEPS: [&str; 5] = ["Go", "AES-NI", "blocks", "GHASH", "last"];
const NO: f64 = 0.0;

/// MB/s of each step.
#[rustfmt::skip]
pub const FIGURES: [(&str, usize, [f64; 5]); 23] = [
    ("cbc-enc",  1024, [36.88, 64.02, NO, NO, 75.32]),
    ("cbc-dec",  1024, [36.44, 65.01, 249.56, NO, 253.68]),
    ("cfb-enc",  1019, [36.71, 63.88, NO, NO, 73.61]),
    ("cfb-dec",  1019, [35.76, 64.24, NO, NO, 73.72]),
    ("cfb-dec",  8187, [35.96, 64.33, NO, NO, 73.91]),
    ("ofb",      1019, [37.13, 65.58, NO, NO, 76.00]),
    ("ctr",      1019, [37.20, 66.15, 247.30, NO, 248.66]),
    ("ctr",      8187, [37.07, 66.32, 246.57, NO, 250.38]),
    ("gmac",     1024, [263.81, 274.41, 272.85, 2853.54, 3183.11]),
    ("gmac",     8192, [304.81, 301.41, NO, 8079.61, 8498.90]),
    ("gcm-seal", 1024, [32.22, 51.34, 129.56, 228.00, 233.52]),
    ("gcm-seal", 8192, [32.68, 53.32, NO, 241.92, 246.77]),
    ("gcm-open", 1024, [32.08, 52.01, 129.69, 226.73, 233.80]),
    ("gcm-open", 8192, [32.92, 53.21, 135.95, 241.36, 246.77]),
    ("ccm-sign", 1024, [NO, NO, NO, NO, 69.34]),
    ("ccm-sign", 8192, [NO, NO, NO, NO, 71.66]),
    ("ccm-seal", 1024, [NO, NO, NO, NO, 53.61]),
    ("ccm-seal", 8192, [NO, NO, NO, NO, 56.92]),
    ("ccm-open", 1024, [NO, NO, NO, NO, 53.15]),
    ("ccm-open", 8192, [NO, NO, NO, NO, 57.14]),
    ("xts-enc",   512, [NO, 67.42, 175.93, NO, NO]),
    ("xts-enc",  1024, [NO, 68.49, 190.28, NO, NO]),
    ("xts-enc",  4096, [NO, 69.01, 206.66, NO, NO]),
];

/// A line of the table: MB/s, None where it was not measured.
#[derive(Debug, PartialEq)]
struct Line {
    name: String,
    wiki: Vec<Option<f64>>,
    gmsm: Option<f64>,
    tiers: Vec<Option<f64>>,
}

impl Line {
    fn default(&self) -> Option<f64> {
        self.tiers.last().copied().flatten()
    }
}

/// Our tiers in the order of the results, weakest first.
fn tiers(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for row in rows.iter().filter(|r| r.family == WIKI.name && r.lib == OURS) {
        if !names.contains(&row.tier) {
            names.push(row.tier.clone());
        }
    }
    names
}

fn lines(rows: &[Row], tiers: &[String], hertz: f64) -> Vec<Line> {
    let rate = |op: &str, size: usize, lib: &str, tier: &str| {
        let is = |r: &&Row| r.op == op && r.size == size && r.lib == lib && r.tier == tier;
        let row = rows.iter().filter(|r| r.family == WIKI.name).find(is)?;
        Some(size as f64 * hertz / row.cycles_min / 1e6)
    };
    let line = |&(op, size, wiki): &(&str, usize, [f64; 5])| Line {
        name: format!("{}, {size}", WIKI.op(op).map_or(op, |o| o.title)),
        wiki: wiki.iter().map(|&x| (x != NO).then_some(x)).collect(),
        gmsm: rate(op, size, "gmsm", ""),
        tiers: tiers.iter().map(|t| rate(op, size, OURS, t)).collect(),
    };
    FIGURES.iter().map(line).collect()
}

pub fn print(rows: &[Row], clock: &Clock) {
    let tiers = tiers(rows);
    let lines = lines(rows, &tiers, clock.hertz);
    let gmsm = rows.iter().find(|r| r.family == WIKI.name && r.lib == "gmsm");
    println!(
        "\nThe table of gmsm's wiki, MB/s. Left: its steps, on its i5-9500. Right: this machine, \
         one run, minima, at the {:.2} GHz of the cycle counter.\nThe last column is our default \
         tier over gmsm{}, above 1 we are faster.",
        clock.hertz / 1e9,
        gmsm.map_or(String::new(), |r| format!(" {}", r.version)),
    );
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    let ours = tiers.iter().map(|t| format!("tongyu\n{t}"));
    let heads =
        STEPS.iter().map(|s| format!("wiki\n{s}")).chain([String::from("gmsm\nnow")]).chain(ours);
    table.set_header(
        [String::from("\nbytes")].into_iter().chain(heads).chain([String::from("\nratio")]),
    );
    for line in &lines {
        let ratio = line.default().zip(line.gmsm).map(|(a, b)| a / b);
        let numbers = line.wiki.iter().chain([&line.gmsm]).chain(&line.tiers).chain([&ratio]);
        let fields = numbers.map(|x| Cell::new(x.map_or(String::new(), compare::short)));
        let right = fields.map(|c| c.set_alignment(CellAlignment::Right));
        table.add_row([Cell::new(&line.name)].into_iter().chain(right));
    }
    println!("{table}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::row;

    #[test]
    fn figures_and_operations_correspond() {
        let wanted: Vec<_> = FIGURES.iter().map(|&(op, size, _)| (op, size)).collect();
        let measured: Vec<_> = WIKI
            .ops
            .iter()
            .flat_map(|op| WIKI.sizes_of(op).iter().map(|&size| (op.name, size)))
            .collect();
        assert_eq!(wanted, measured);
    }

    #[test]
    fn a_line_holds_both_sides() {
        let rows = [
            row("wiki", "ctr", 1019, OURS, "c", 10190.0),
            row("wiki", "ctr", 1019, OURS, "default", 1019.0),
            row("wiki", "ctr", 1019, "gmsm", "", 2038.0),
            row("sm4", "ctr", 1019, "gmsm", "", 1.0),
        ];
        let tiers = tiers(&rows);
        assert_eq!(tiers, ["c", "default"]);
        let all = lines(&rows, &tiers, 2e9);
        let ctr = all.iter().find(|l| l.name == "CTR, 1019").unwrap();
        assert_eq!(
            (ctr.gmsm, ctr.tiers.as_slice(), ctr.default()),
            (Some(1000.0), &[Some(200.0), Some(2000.0)][..], Some(2000.0))
        );
        assert_eq!(ctr.wiki[3], None);
        assert_eq!(all[0].gmsm, None);
    }
}
