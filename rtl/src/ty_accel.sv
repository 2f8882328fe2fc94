// The accelerator: ty_core behind AXI4-Lite, with an interrupt, a random port, a port for a scalar
// from a key manager and a known-answer test.
//
// Ports    AXI4-Lite, see ty_axil; irq, level, high     random_*: 32-bit words, valid and take;
//          the integrator has to monitor their quality     key_*: a word of the scalar, taken in
//          the cycle of key_valid unless key_refused; the host's own writes have priority
// Latency and throughput: see ty_core and docs/accelerator.md
module ty_accel
  import ty_field_pkg::*;
  import ty_core_pkg::*;
#(
    parameter int FIELDS            = 4,
    parameter int D                 = 55,
    parameter int SQUARINGS         = 1,
    parameter int MULTIPLIERS       = 1,
    parameter int GENERIC           = 0,
    parameter int GENERIC_SQUARER   = 0,
    parameter int DIVIDER           = 0,
    parameter int BLIND             = 0,
    parameter bit RANDOMISE         = 1,
    parameter bit CHECK_POINT       = 1,
    parameter bit SELECT_BY_ADDRESS = 0,
    parameter bit SELF_TEST         = 1
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [7:0]  s_axil_awaddr,
    input  logic [2:0]  s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [3:0]  s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [1:0]  s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [7:0]  s_axil_araddr,
    input  logic [2:0]  s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0]  s_axil_rresp,
    output logic        irq,
    input  logic        random_valid,
    output logic        random_take,
    input  logic [31:0] random_data,
    input  logic        key_valid,
    output logic        key_refused,
    input  logic [3:0]  key_index,
    input  logic [31:0] key_data
);
  // Without the casts Icarus takes each parameter to be 32 bits wide.
  localparam logic [31:0] Parameters = {
    6'd0, 1'(MULTIPLIERS == 2), 1'(SELECT_BY_ADDRESS), 1'(CHECK_POINT), 1'(RANDOMISE), 4'd4,
    2'(SQUARINGS), 8'(D), 8'(FIELDS)
  };

  localparam logic [31:0] Options = {18'd0, SELF_TEST, 2'(BLIND), 2'(DIVIDER), 1'(GENERIC_SQUARER),
      8'(GENERIC)};

  logic data_we, scalar_we, context_we, config_we, cmd_valid, busy, ready, done, result_valid,
      infinite;
  logic random_ready, locked, slow, error_set, key_we;
  logic [1:0] context_in, context_now;
  logic [3:0] write_index;
  logic [2:0] read_index, test_index;
  config_t config_in, config_now;
  logic [31:0] word_data, data_word, cycles;
  logic [3:0] cmd, slot;
  err_t error;

  // Writes of the host and of the key manager cannot be in the same cycle; none is accepted while
  // the core is busy.
  logic taken, testing;             // testing: the core belongs to the known-answer test
  assign key_refused = taken || busy || testing;
  assign key_we = key_valid && !key_refused;

  // --- The known-answer test, which the host can only stop ---------------------------------------
  logic stop_q, stopped_q;          // one and two cycles after the host's ABORT of the test
  logic test_ends, test_begins, test_stops, host_refused, host_refused_q, testing_q, bus_error_set,
      core_error_set;
  err_t test_verdict, bus_error, core_error;     // core_error: the core's error a cycle ago
  // core_in: the input of the core, from host or tester a cycle ago
  host_t host, tester, core_in;
  // SELFTEST is not executed by the core
  assign test_begins = SELF_TEST && core_in.cmd_valid && core_in.cmd == CMD_SELFTEST && !busy &&
      !testing;
  assign test_stops = testing && cmd_valid && cmd == CMD_ABORT;
  assign host_refused = testing && (data_we || scalar_we || context_we || config_we || (cmd_valid &&
      cmd != CMD_ABORT));
  always_ff @(posedge clk) begin
    core_error_set <= !rst && error_set;
    core_error <= rst ? ERR_NONE : error;
    testing_q <= !rst && testing;
    host_refused_q <= !rst && host_refused;
    stop_q <= !rst && test_stops;
    stopped_q <= !rst && stop_q;
    bus_error_set <= !rst && error_set;
    bus_error <= rst ? ERR_NONE : error;
    // Errors of the core during the test are not reported to the host.
    if (!rst && (testing_q || host_refused_q) && error != ERR_LOCKED && error != ERR_ABORTED) begin
      bus_error_set <= host_refused_q || (test_ends && test_verdict != ERR_NONE);
      bus_error <= test_ends && test_verdict != ERR_NONE ? test_verdict : ERR_BUSY;
    end
    // The core reports ABORTED only during a run; an ABORT between two runs of the test would
    // leave no error, as if the test had passed.
    if (!rst && stopped_q && error != ERR_LOCKED) begin
      bus_error_set <= 1'b1;
      bus_error <= ERR_ABORTED;
    end
  end
  always_comb begin
    host = '0;
    host.data_we = data_we;
    host.key_we = scalar_we || key_we;
    host.key_manager = key_we;
    host.write_index = key_we ? key_index : write_index;
    host.word_data = key_we ? key_data : word_data;
    host.context_we = context_we;
    host.context_in = context_in;
    host.config_we = config_we;
    host.config_in = config_in;
    host.cmd_valid = cmd_valid;
    host.cmd = cmd;
    host.slot = slot;
  end
  always_ff @(posedge clk) core_in <= rst ? '0 : testing ? tester : host;
  if (SELF_TEST) begin : g_test
    ty_selftest #(
        .FIELDS(FIELDS), .GENERIC(GENERIC)
    ) selftest (
        .clk(clk), .rst(rst), .begins(test_begins), .stop(test_stops), .active(testing),
        .ends(test_ends), .verdict(test_verdict), .sent(tester), .read_index(test_index),
        .data_word(data_word), .busy(busy), .result_valid(result_valid), .error_set(core_error_set),
        .error(core_error)
    );
  end else begin : g_no_test
    assign tester = '0;
    assign testing = 1'b0;
    assign test_index = '0;
    assign test_ends = 1'b0;
    assign test_verdict = ERR_NONE;
    logic unused_too;
    assign unused_too = ^{test_begins, test_stops, core_error_set, core_error};
  end

  ty_axil #(
      .PARAMETERS(Parameters), .OPTIONS(Options)
  ) bus (
      .clk(clk), .rst(rst), .awvalid(s_axil_awvalid), .awready(s_axil_awready),
      .awaddr(s_axil_awaddr), .wvalid(s_axil_wvalid), .wready(s_axil_wready), .wdata(s_axil_wdata),
      .wstrb(s_axil_wstrb), .bvalid(s_axil_bvalid), .bready(s_axil_bready), .bresp(s_axil_bresp),
      .arvalid(s_axil_arvalid), .arready(s_axil_arready), .araddr(s_axil_araddr),
      .rvalid(s_axil_rvalid), .rready(s_axil_rready), .rdata(s_axil_rdata), .rresp(s_axil_rresp),
      .irq(irq), .taken(taken), .data_we(data_we), .scalar_we(scalar_we), .write_index(write_index),
      .read_index(read_index), .word_data(word_data), .data_word(testing ? '0 : data_word),
      .context_we(context_we), .context_in(context_in), .context_now(context_now),
      .config_we(config_we), .config_in(config_in), .config_now(config_now), .cmd_valid(cmd_valid),
      .cmd(cmd), .slot(slot), .busy(busy || testing), .ready(ready && !testing),
      .done(testing ? test_ends : done), .result_valid(result_valid && !testing),
      .infinite(infinite && !testing), .random_ready(random_ready), .locked(locked), .slow(slow),
      .error_set(bus_error_set), .error(bus_error), .cycles(cycles)
  );

  ty_core #(
      .FIELDS(FIELDS), .D(D), .SQUARINGS(SQUARINGS), .MULTIPLIERS(MULTIPLIERS), .GENERIC(GENERIC),
      .GENERIC_SQUARER(GENERIC_SQUARER), .DIVIDER(DIVIDER), .BLIND(BLIND), .RANDOMISE(RANDOMISE),
      .CHECK_POINT(CHECK_POINT), .SELECT_BY_ADDRESS(SELECT_BY_ADDRESS), .SELF_TEST(SELF_TEST)
  ) core (
      .clk(clk), .rst(rst), .data_we(core_in.data_we), .key_we(core_in.key_we),
      .key_manager(core_in.key_manager), .write_index(core_in.write_index),
      .read_index(testing ? test_index : read_index),
      .word_data(core_in.word_data), .data_word(data_word), .context_we(core_in.context_we),
      .context_in(core_in.context_in), .context_now(context_now), .config_we(core_in.config_we),
      .config_in(core_in.config_in), .config_now(config_now), .cmd_valid(core_in.cmd_valid),
      .cmd(core_in.cmd), .slot(core_in.slot), .busy(busy), .ready(ready), .done(done),
      .result_valid(result_valid), .infinite(infinite), .random_ready(random_ready),
      .locked(locked), .slow(slow), .error_set(error_set), .error(error), .cycles(cycles),
      .random_valid(random_valid), .random_take(random_take), .random_data(random_data)
  );
  logic unused;
  assign unused = ^{s_axil_awprot, s_axil_arprot};
endmodule
