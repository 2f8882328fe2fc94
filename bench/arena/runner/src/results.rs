//! build/arena.json: one row per operation, size, library and tier. A run replaces only what it
//! measured.

use crate::families;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The library that is measured against the others.
pub const OURS: &str = "tongyu";

/// The tier that a program gets if it sets no limit.
pub const DEFAULT: &str = "default";

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub family: String,
    pub op: String,
    /// Bytes of the message; 0 where an operation has no size.
    pub size: usize,
    /// Empty where a library does not name its tiers.
    pub tier: String,
    pub lib: String,
    pub version: String,
    /// Per operation, not per byte.
    pub cycles_min: f64,
    pub cycles_median: f64,
}

impl Row {
    /// "tongyu avx2", or the library's name alone.
    pub fn who(&self) -> String {
        if self.tier.is_empty() {
            self.lib.clone()
        } else {
            format!("{} {}", self.lib, self.tier)
        }
    }
}

pub fn load(path: &Path) -> Result<Vec<Row>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is not a table of results", path.display()))
}

/// Replaces the family's rows (of these operations; all, if none are named) and writes the file
/// anew.
pub fn merge_into(path: &Path, family: &str, ops: &[String], new: Vec<Row>) -> Result<()> {
    let old = if path.exists() { load(path)? } else { vec![] };
    let rows = merge(old, family, ops, new);
    let lines: Vec<String> = rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension(format!("json.{}", std::process::id()));
    std::fs::write(&temporary, format!("[\n{}\n]\n", lines.join(",\n")))?;
    std::fs::rename(&temporary, path).with_context(|| path.display().to_string())
}

pub fn merge(mut rows: Vec<Row>, family: &str, ops: &[String], new: Vec<Row>) -> Vec<Row> {
    rows.retain(|r| {
        r.family != family
            || !(ops.is_empty() || ops.contains(&r.op) || new.iter().any(|n| n.op == r.op))
    });
    rows.extend(new);
    let family_rank =
        |r: &Row| families::ALL.iter().position(|f| f.name == r.family).unwrap_or(usize::MAX);
    let op_rank = |r: &Row| families::find(&r.family).map_or(0, |f| f.rank(&r.op));
    // Stable, so that a library's tiers stay weakest first.
    rows.sort_by(|a, b| {
        let key = |r: &Row| (family_rank(r), op_rank(r), r.size, r.lib != OURS);
        key(a).cmp(&key(b)).then_with(|| a.lib.cmp(&b.lib))
    });
    rows
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn row(family: &str, op: &str, size: usize, lib: &str, tier: &str, cycles: f64) -> Row {
        Row {
            family: family.into(),
            op: op.into(),
            size,
            tier: tier.into(),
            lib: lib.into(),
            version: "1".into(),
            cycles_min: cycles,
            cycles_median: cycles * 1.01,
        }
    }

    #[test]
    fn a_run_replaces_its_family() {
        let old =
            vec![row("sm3", "hash", 64, "x", "", 1.0), row("sm4", "ctr", 16, "gone", "", 1.0)];
        let new = vec![row("sm4", "ctr", 16, "x", "", 2.0), row("sm4", "ctr", 16, OURS, "c", 9.0)];
        let who: Vec<_> =
            merge(old, "sm4", &[], new).into_iter().map(|r| (r.family, r.lib)).collect();
        let is = |f: &str, l: &str| (f.to_string(), l.to_string());
        assert_eq!(who, [is("sm4", OURS), is("sm4", "x"), is("sm3", "x")]);
    }

    #[test]
    fn named_operations_replace_only_themselves() {
        let old = vec![row("sm4", "ctr", 16, "x", "", 1.0), row("sm4", "ofb", 16, "x", "", 1.0)];
        let merged = merge(old, "sm4", &["ctr".into()], vec![row("sm4", "ctr", 16, "x", "", 5.0)]);
        assert_eq!(merged.iter().map(|r| r.cycles_min).collect::<Vec<_>>(), [1.0, 5.0]);
        assert_eq!(merged[0].op, "ofb"); // the order of the family's list
    }

    #[test]
    fn tiers_stay_in_their_order() {
        let new =
            vec![row("sm4", "ctr", 16, OURS, "c64", 3.0), row("sm4", "ctr", 16, OURS, "avx2", 1.0)];
        assert_eq!(merge(vec![], "sm4", &[], new.clone()), new);
    }

    #[test]
    fn the_file_is_a_list_of_rows_with_eight_fields() {
        let folder = std::env::temp_dir().join(format!("arena-test-{}", std::process::id()));
        let path = folder.join("arena.json");
        merge_into(&path, "sm3", &[], vec![row("sm3", "hash", 64, OURS, "avx2", 700.5)]).unwrap();
        merge_into(&path, "sm4", &[], vec![row("sm4", "ctr", 16, OURS, "c", 9.0)]).unwrap();
        let value: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let rows = value.as_array().unwrap();
        assert_eq!(rows.len(), 2);
        let names: Vec<_> = rows[1].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["cycles_median", "cycles_min", "family", "lib", "op", "size", "tier", "version"]
        );
        assert_eq!(rows[1]["cycles_min"], 700.5);
        assert_eq!(load(&path).unwrap()[0].op, "ctr");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn another_file_is_refused() {
        assert!(serde_json::from_str::<Vec<Row>>(r#"[{"family":"sm4"}]"#).is_err());
    }
}
