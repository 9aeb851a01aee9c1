//! The Bot API's methods as the types of `frankenstein` have them.

use frankenstein::methods::{
    AnswerCallbackQueryParams, EditMessageTextParams, GetUpdatesParams, SendMessageParams,
};
use serde_json::{Value, from_value, json, to_value};

/// What is left of a body once the types have read it: all of it, if they know each field and its type.
///
/// # Errors
/// A sentence, where they do not read it or know no such method.
pub fn again(method: &str, body: &Value) -> Result<Value, String> {
    let body = body.clone();
    let read = match method {
        "getMe" => Ok(json!({})),
        "getUpdates" => from_value::<GetUpdatesParams>(body).and_then(to_value),
        "sendMessage" => from_value::<SendMessageParams>(body).and_then(to_value),
        "editMessageText" => from_value::<EditMessageTextParams>(body).and_then(to_value),
        "answerCallbackQuery" => from_value::<AnswerCallbackQueryParams>(body).and_then(to_value),
        _ => return Err("no method of that name is used".into()),
    };
    read.map_err(|error| error.to_string())
}
