// The protocol server in C++, its handle in RAII: lines of dialect A come in on stdin, lines go out on stdout.
//
//     c++ -std=c++17 host.cpp $(pkg-config --cflags --libs askgate) -o host
//     ./host < lines
//
// where lines are such as {"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Deploy?"}} and
// {"id":2,"method":"agent.ask_answer","params":{"request_id":"req:1","value":"yes"}}, as a page or an agent sends them.
// At the end of input what still waits is cancelled, and its askers are told.

#include <askgate.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

std::string string_of(askgate_text text) {
    return text.data == nullptr ? std::string() : std::string(text.data, text.len);
}

askgate_text text_of(const std::string &string) {
    return {string.data(), string.size()};
}

class Error : public std::runtime_error {
public:
    explicit Error(askgate_result result) : std::runtime_error(string_of(askgate_result_name(result))), code(result) {}
    const askgate_result code;
};

void check(askgate_result result) {
    if (result != ASKGATE_OK) throw Error(result);
}

// Owns an endpoint: moves, does not copy, frees once.
class Endpoint {
public:
    Endpoint() {
        askgate_endpoint *made = nullptr;
        check(askgate_endpoint_new(ASKGATE_ABI_VERSION, nullptr, &made));
        handle.reset(made);
    }

    std::uint64_t connect(std::uint64_t now, std::uint32_t authority) {
        std::uint64_t connection = 0;
        check(askgate_endpoint_connect(handle.get(), now, authority, &connection));
        return connection;
    }

    // False: too many outputs wait; poll them, then give the line again.
    bool receive(std::uint64_t now, std::uint64_t connection, const std::string &line) {
        askgate_result result = askgate_endpoint_receive(handle.get(), now, connection, text_of(line));
        if (result == ASKGATE_FULL) return false;
        check(result);
        return true;
    }

    // Calls with each output that waits. Its texts are the endpoint's until the next call.
    template <typename Use> void poll(std::uint64_t now, Use use) {
        askgate_output output;
        for (;;) {
            check(askgate_endpoint_poll(handle.get(), now, &output));
            if (output.kind == ASKGATE_OUTPUT_WAIT) return;
            use(output);
        }
    }

    void shutdown(std::uint64_t now) {
        check(askgate_endpoint_shutdown(handle.get(), now, nullptr));
    }

private:
    struct Free {
        void operator()(askgate_endpoint *endpoint) const { askgate_endpoint_free(endpoint); }
    };
    std::unique_ptr<askgate_endpoint, Free> handle;
};

std::uint64_t milliseconds() {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count());
}

void print(const askgate_output &output) {
    if (output.kind == ASKGATE_OUTPUT_SEND) std::cout << string_of(output.line) << std::endl;
}

} // namespace

int main() try {
    Endpoint endpoint;
    const std::uint64_t peer = endpoint.connect(milliseconds(), ASKGATE_AUTHORITY_OBSERVER | ASKGATE_AUTHORITY_ANSWER);
    for (std::string line; std::getline(std::cin, line);) {
        while (!endpoint.receive(milliseconds(), peer, line)) endpoint.poll(milliseconds(), print);
        endpoint.poll(milliseconds(), print);
    }
    endpoint.shutdown(milliseconds());
    endpoint.poll(milliseconds(), print);
    return 0;
} catch (const Error &error) {
    std::cerr << "askgate: " << error.what() << std::endl;
    return 1;
}
