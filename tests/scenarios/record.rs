//! What the library gave in the course of one scenario, as it gave it.

use serde_json::Value;

/// The outputs and results of a scenario: the step that they came after, counted from 0, and the JSON text.
#[derive(Debug, Default)]
pub(crate) struct Record {
    step: usize,
    pub(crate) lines: Vec<(usize, String)>,
}

impl Record {
    pub(crate) fn add(&mut self, json: impl ToString) {
        self.lines.push((self.step, json.to_string()));
    }

    /// Runs each step; an error names the step that it is about.
    pub(crate) fn steps(
        &mut self,
        steps: Vec<Value>,
        mut run: impl FnMut(&mut Self, Value) -> Result<(), String>,
    ) -> Result<(), String> {
        for (n, step) in steps.into_iter().enumerate() {
            self.step = n;
            run(self, step).map_err(|error| format!("step {n}: {error}"))?;
        }
        Ok(())
    }
}
