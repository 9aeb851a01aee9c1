//! The server itself.

use super::world::{TOKEN, World};
use super::{Call, Mishap, Shared, methods, refusal};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

pub(super) struct Server {
    listener: TcpListener,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

/// A port of our own.
pub(super) fn listen() -> TcpListener {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    listener
}

impl Server {
    /// Serves what is shared; without it, each connection is cut at once.
    pub(super) fn start(shared: Option<Arc<Shared>>, listener: TcpListener) -> Self {
        let (stop, stopped) = oneshot::channel();
        let own = listener.try_clone().expect("a socket");
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            // With the runtime all connections go.
            runtime.block_on(async {
                tokio::select! {
                    () = serve(shared, own) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { listener, stop, thread }
    }

    pub(super) fn port(&self) -> u16 {
        self.listener.local_addr().expect("an address").port()
    }

    /// Stops, cuts all connections, and gives the port back.
    pub(super) fn stop(self) -> TcpListener {
        // It has stopped if nobody hears that.
        let _ = self.stop.send(());
        self.thread.join().expect("the server does not panic");
        self.listener
    }
}

async fn serve(shared: Option<Arc<Shared>>, listener: TcpListener) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a socket");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        let Some(shared) = shared.clone() else { continue };
        tokio::spawn(async move {
            let service = service_fn(|request| answer(&shared, request));
            // It ends in an error when it is cut.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

/// Answers a request; an error cuts the connection.
async fn answer(shared: &Shared, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, io::Error> {
    let cut = || io::Error::from(io::ErrorKind::ConnectionReset);
    let path = request.uri().path().to_owned();
    let is_post = request.method() == hyper::Method::POST;
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    let bytes = request.into_body().collect().await.map_err(|_| cut())?.to_bytes();
    let Some((token, method)) = path.strip_prefix("/bot").and_then(|rest| rest.split_once('/')) else {
        return Ok(response(&refusal(404, "Not Found")));
    };
    if token != TOKEN || shared.with(|world| world.revoked) {
        return Ok(response(&refusal(401, "Unauthorized")));
    }
    let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    if !(is_post && is_json && body.is_object()) {
        shared.with(|world| world.faults.push(format!("{method}: a body that is no JSON object")));
    }
    let mishap = shared.with(|world| {
        let at = world.mishaps.iter().position(|(own, _)| own == method)?;
        Some(world.mishaps.remove(at).1)
    });
    match mishap {
        Some(Mishap::Cut) => {
            log(shared, method, &body, 0);
            return Err(cut());
        }
        Some(Mishap::BadGateway) => {
            log(shared, method, &body, 502);
            let mut page = Response::new(Full::from("<html>Bad Gateway</html>"));
            *page.status_mut() = StatusCode::BAD_GATEWAY;
            return Ok(page);
        }
        Some(Mishap::Refused(code, why)) => {
            log(shared, method, &body, code);
            return Ok(response(&refusal(code, &why.replace("TOKEN", TOKEN))));
        }
        Some(Mishap::TooMany(seconds)) => {
            log(shared, method, &body, 429);
            return Ok(response(&methods::too_many(seconds)));
        }
        Some(Mishap::AnswerLost) | None => {}
    }
    let answer = match method {
        "getUpdates" => updates(shared, &body).await,
        _ => shared.with(|world| methods::call(world, method, &body)),
    };
    let code = answer["error_code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(200);
    log(shared, method, &body, code);
    if mishap == Some(Mishap::AnswerLost) { Err(cut()) } else { Ok(response(&answer)) }
}

fn log(shared: &Shared, method: &str, body: &Value, code: u16) {
    let call = Call { method: method.into(), body: body.clone(), code };
    shared.with(|world| world.calls.push(call));
}

/// Waits for updates as long as the call says.
async fn updates(shared: &Shared, body: &Value) -> Value {
    if let Some(refused) = shared.with(|world| rules(world, body)) {
        return refused;
    }
    let kinds: Vec<String> = serde_json::from_value(body["allowed_updates"].clone()).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(body["timeout"].as_u64().unwrap_or(0));
    loop {
        let more = shared.updates.notified();
        // Not through `with`, which would wake this very loop.
        let batch = shared.lock().fetch(body["offset"].as_i64(), &kinds);
        shared.changed.notify_all();
        if !batch.is_empty() || timeout_at(end, more).await.is_err() {
            return json!({ "ok": true, "result": batch });
        }
    }
}

fn rules(world: &mut World, body: &Value) -> Option<Value> {
    let again = crate::typed::again("getUpdates", body);
    if again.as_ref() == Ok(body) {
        return None;
    }
    world.faults.push(format!("getUpdates: of {body} the types know only {again:?}"));
    Some(refusal(400, "Bad Request: wrong parameters"))
}

fn response(answer: &Value) -> Response<Full<Bytes>> {
    let code = answer["error_code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(200);
    let mut response = Response::new(Full::from(answer.to_string()));
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    response
}
