// AXI4-Lite slave in front of ty_core: the register map of rtl/regs/registers.py.
//
// Ports    the five channels; 32-bit words, 8-bit byte addresses; all write strobes have to be set
// Latency  a write is answered four cycles after both its address and data are there, a read one
//          cycle after its address     Throughput: a write in 5 cycles, a read in 2
// A write is decoded in its first cycle and is at the ports in the second, from registers; it
// reaches the core in the third, and the core's response is there, in registers again, in the
// fourth. Every transfer is answered, whatever the core does: SLVERR where there is no such
// register, where not all strobes are set, and where the core refuses a write; after a write ERROR
// has the reason.
module ty_axil
  import ty_core_pkg::*;
#(
    parameter logic [31:0] PARAMETERS = '0,
    parameter logic [31:0] OPTIONS    = '0
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        awvalid,
    output logic        awready,
    input  logic [7:0]  awaddr,
    input  logic        wvalid,
    output logic        wready,
    input  logic [31:0] wdata,
    input  logic [3:0]  wstrb,
    output logic        bvalid,
    input  logic        bready,
    output logic [1:0]  bresp,
    input  logic        arvalid,
    output logic        arready,
    input  logic [7:0]  araddr,
    output logic        rvalid,
    input  logic        rready,
    output logic [31:0] rdata,
    output logic [1:0]  rresp,
    output logic        irq,
    // the core
    output logic        taken,      // a write is in progress and has not reached the core yet
    output logic        data_we,
    output logic        scalar_we,
    output logic [3:0]  write_index,
    output logic [2:0]  read_index,
    output logic [31:0] word_data,
    input  logic [31:0] data_word,
    output logic        context_we,
    output logic [1:0]  context_in,
    input  logic [1:0]  context_now,
    output logic        config_we,
    output config_t     config_in,
    input  config_t     config_now,
    output logic        cmd_valid,
    output logic [3:0]  cmd,
    output logic [3:0]  slot,
    input  logic        busy,
    input  logic        ready,
    input  logic        done,
    input  logic        result_valid,
    input  logic        infinite,
    input  logic        random_ready,
    input  logic        locked,
    input  logic        slow,
    // two cycles after the write: it was refused, or a run has failed
    input  logic        error_set,
    input  err_t        error,
    input  logic [31:0] cycles
);
  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  // --- Writes ------------------------------------------------------------------------------------
  logic write, whole, write_known, error_clear, irq_we;
  // a write is at the ports; at the core; the core's response is there
  logic written_q, at_core_q, judged_q;
  logic known_q, starts_q;            // the write's register exists; the write clears ERROR
  logic known_at_core_q, starts_at_core_q;  // the same for the write at the core
  logic [7:0] waddr;
  logic [31:0] data_q;
  err_t error_q;
  logic enable_q, pending_q;
  assign write = awvalid && wvalid && !written_q && !at_core_q && !judged_q && !bvalid;
  assign awready = write;
  assign wready = write;
  assign taken = write || written_q || at_core_q;
  assign waddr = {awaddr[7:2], 2'b00};
  assign word_data = data_q;
  assign context_in = data_q[1:0];
  assign config_in = {data_q[25:8], data_q[3:0]};
  assign cmd = data_q[3:0];
  assign slot = data_q[11:8];
  assign whole = write && wstrb == 4'hf;
  assign write_known = data_we || scalar_we || error_clear || irq_we || context_we || config_we ||
      cmd_valid;
  always_ff @(posedge clk) begin
    written_q <= !rst && write;
    at_core_q <= !rst && written_q;
    judged_q <= !rst && at_core_q;
    known_at_core_q <= !rst && write_known;
    known_q <= !rst && known_at_core_q;
    starts_q <= !rst && starts_at_core_q;
    starts_at_core_q <= !rst && (error_clear || (cmd_valid && (cmd == CMD_START ||
        cmd == CMD_ADD || cmd == CMD_SELFTEST)));
    data_we <= !rst && whole && waddr[7:5] == REG_DATA[7:5];
    scalar_we <= !rst && whole && (waddr[7:5] == REG_SCALAR[7:5] ||
                                   (waddr[7:3] == REG_SCALAR_MORE[7:3] && (waddr[2] ? OPTIONS[12] :
                                       |OPTIONS[12:11])));
    error_clear <= !rst && whole && waddr == REG_ERROR;
    irq_we <= !rst && whole && waddr == REG_INTERRUPT;
    context_we <= !rst && whole && waddr == REG_CONTEXT;
    config_we <= !rst && whole && waddr == REG_CONFIG;
    cmd_valid <= !rst && whole && waddr == REG_COMMAND;
    if (!rst && write) begin
      write_index <= {awaddr[7], awaddr[4:2]};
      data_q <= wdata;
    end else begin
      write_index <= '0;
      data_q <= '0;         // it may be a word of a scalar
    end
  end

  // --- Reads -------------------------------------------------------------------------------------
  logic read, read_known;
  logic [7:0] raddr;
  logic [31:0] read_data;
  assign read = arvalid && !rvalid;
  assign arready = read;
  assign raddr = {araddr[7:2], 2'b00};
  assign read_index = araddr[4:2];
  always_comb begin
    read_known = 1'b1;
    read_data = '0;
    if (raddr[7:5] == REG_DATA[7:5]) read_data = data_word;
    else
      case (raddr)
        REG_IDENT:      read_data = IDENT;
        REG_VERSION:    read_data = VERSION;
        REG_PARAMETERS: read_data = PARAMETERS;
        REG_OPTIONS:    read_data = OPTIONS;
        REG_STATUS:     read_data = {25'd0, slow, locked, random_ready, infinite, result_valid,
            ready, busy};
        REG_ERROR:      read_data = {28'd0, error_q};
        REG_CYCLES:     read_data = cycles;
        REG_INTERRUPT:  read_data = {30'd0, pending_q, enable_q};
        REG_CONTEXT:    read_data = {30'd0, context_now};
        REG_CONFIG:     read_data = {6'd0, config_now.blind, config_now.degree, config_now.steps,
            4'd0, config_now.generic, config_now.field};
        default:        read_known = 1'b0;
      endcase
  end
  assign irq = enable_q && pending_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      bvalid <= 1'b0;
      bresp <= Okay;
      rvalid <= 1'b0;
      rresp <= Okay;
      rdata <= '0;
      error_q <= ERR_NONE;
      enable_q <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      if (judged_q) begin
        bvalid <= 1'b1;
        bresp <= known_q && !error_set ? Okay : SlaveError;
      end else if (bready) bvalid <= 1'b0;
      if (read) begin
        rvalid <= 1'b1;
        rresp <= read_known ? Okay : SlaveError;
        rdata <= read_data;
      end else if (rready) rvalid <= 1'b0;

      if (error_set) error_q <= error;
      else if (judged_q && !known_q) error_q <= ERR_ADDRESS;
      else if (judged_q && starts_q) error_q <= ERR_NONE;
      if (irq_we) begin
        enable_q <= data_q[0];
        if (data_q[1]) pending_q <= 1'b0;
      end
      if (done || (error_set && error == ERR_LOCKED)) pending_q <= 1'b1;
    end
  end
  logic unused;
  assign unused = ^{awaddr[1:0], araddr[1:0]};
endmodule
