// Point multiplication kP on curves over the fields of a set, between a host port and a random port.
//
// Ports
//   data_*, key_*    words of the staging register and of the scalar; ignored while busy
//   cmd_*            a command and its slot, for one cycle
//   busy             a run or a wipe is going on     ready: a START would be accepted
//   error, error_set the reason, in the cycle in which it arises
//   done             a run has ended, in the cycle in which its outcome can be seen
// Latency  START to done: `cycles`, the same for every scalar and point of a context.
// Throughput: one kP at a time.
//
// Every operand is wiped before done; the result is there only if P and the result are on the curve.
module ty_core
  import ty_field_pkg::*;
  import ty_word_pkg::*;
  import ty_core_pkg::*;
#(
    parameter int FIELDS            = 4,    // mask: bit i for field i of ty_field_pkg
    parameter int D                 = 55,   // bits of a digit of the multiplier
    parameter int SQUARINGS         = 1,    // a cycle: 1 or 2
    parameter bit RANDOMISE         = 1,    // 0: coordinates are not randomised, START does not wait
    parameter bit CHECK_POINT       = 1,    // 0: the host answers for P being on the curve
    parameter bit SELECT_BY_ADDRESS = 0,    // 1: the key bit chooses a register's address, else a multiplexer
    parameter int N                 = widest(FIELDS)
) (
    input  logic        clk,
    input  logic        rst,
    // host
    input  logic        data_we,
    input  logic        key_we,
    input  logic [2:0]  write_index,
    input  logic [2:0]  read_index,
    input  logic [31:0] word_data,
    output logic [31:0] data_word,
    input  logic        context_we,
    input  logic [1:0]  context_in,
    output logic [1:0]  context_now,
    input  logic        config_we,
    input  logic [2:0]  config_field,
    input  logic [7:0]  config_steps,
    output logic [10:0] config_now,
    input  logic        cmd_valid,
    input  logic [3:0]  cmd,
    input  logic [3:0]  slot,
    output logic        busy,
    output logic        ready,
    output logic        done,
    output logic        result_valid,
    output logic        infinite,
    output logic        random_ready,
    output logic        locked,
    output logic        error_set,
    output err_t        error,
    output logic [31:0] cycles,
    // random port
    input  logic        random_valid,
    output logic        random_take,
    input  logic [31:0] random_data
);
  localparam int Words = (N + 31) / 32;

  // Each state is two bits from every other.
  typedef enum logic [3:0] {
    WIPE_ALL = 4'b0000, READY = 4'b0011, RUN = 4'b0101, WIPE = 4'b0110, LOCKED = 4'b1001
  } state_t;
  state_t state_q, state_next;

  // --- Contexts ----------------------------------------------------------------------------------
  logic [1:0] context_q;
  logic [2:0] field_q[4];
  logic [7:0] steps_q[4];
  logic [2:0] loaded_q[4];          // a, b, root
  logic       b_is_one_q[4];
  logic [2:0] field;
  logic [7:0] steps;
  logic       context_good;
  logic [N-1:0] mask;               // bits of an element of the field
  assign field = field_q[context_q];
  assign steps = steps_q[context_q];
  assign context_now = context_q;
  assign config_now = {steps, field};
  always_comb begin
    mask = '0;
    context_good = 1'b0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && field == 3'(i)) begin
        mask = ~({N{1'b1}} << field_m(i));
        context_good = &loaded_q[context_q] && steps > 8'd1;
      end
  end

  // --- Host's registers --------------------------------------------------------------------------
  logic [Words*32-1:0] data_q;
  logic data_shown_q, data_excess_q, data_range;
  logic [255:0] key_q;
  logic [7:0] key_have_q;
  logic key_excess_q;
  logic [1:0] point_have_q;
  logic [31:0] key_spare;           // bits of this word that the ladder would not look at
  logic operands;
  assign data_range = data_excess_q || |(data_q & ~(Words * 32)'(mask));
  assign operands = &point_have_q && &key_have_q;
  always_comb begin
    for (int i = 0; i < 32; i++) key_spare[i] = {write_index, 5'(i)} >= steps;
    data_word = '0;
    for (int i = 0; i < Words; i++)
      if (read_index == 3'(i) && data_shown_q) data_word = data_q[32*i+:32];
  end

  // --- Commands ----------------------------------------------------------------------------------
  logic idle, start, put, get, abort, zeroise;
  logic slot_point, slot_curve, slot_result;
  err_t refused;
  assign idle = state_q == READY;
  assign slot_point = slot == SLOT_X || slot == SLOT_Y;
  assign slot_curve = slot == SLOT_A || slot == SLOT_B || slot == SLOT_ROOT;
  assign slot_result = slot == SLOT_RESULT_X || slot == SLOT_RESULT_Y;
  always_comb begin
    refused = ERR_NONE;
    if (locked) begin
      if (cmd_valid || data_we || key_we || context_we || config_we) refused = ERR_LOCKED;
    end else if (!idle) begin
      if ((cmd_valid && cmd != CMD_ABORT) || data_we || key_we || context_we || config_we)
        refused = ERR_BUSY;
    end else if (cmd_valid) begin
      case (cmd)
        CMD_START:
          if (!context_good) refused = ERR_CONTEXT;
          else if (key_excess_q) refused = ERR_SCALAR;
          else if (!operands) refused = ERR_OPERAND;
          else if (!random_ready) refused = ERR_RANDOM;
        CMD_PUT:
          if (!slot_point && !slot_curve) refused = ERR_COMMAND;
          else if (data_range) refused = ERR_RANGE;
        CMD_GET:
          if (!slot_result) refused = ERR_COMMAND;
          else if (!result_valid) refused = ERR_RESULT;
        CMD_ZEROISE, CMD_ABORT: ;
        default: refused = ERR_COMMAND;
      endcase
    end
  end
  assign start = idle && cmd_valid && cmd == CMD_START && refused == ERR_NONE;
  assign put = idle && cmd_valid && cmd == CMD_PUT && refused == ERR_NONE;
  assign get = idle && cmd_valid && cmd == CMD_GET && refused == ERR_NONE;
  assign zeroise = idle && cmd_valid && cmd == CMD_ZEROISE;
  assign abort = !locked && cmd_valid && cmd == CMD_ABORT;
  assign ready = idle && context_good && random_ready;

  // --- Sequencer and units -----------------------------------------------------------------------
  units_t word;
  logic ended, illegal, squarer_done, choice;
  logic [7:0] exponent, squarings;
  logic [N-1:0] read_a, read_b, write_data, product, squared, value, element;
  logic [4:0] read_address_a, read_address_b, write_address;
  logic write, unit_rst, element_valid, element_taken;
  logic bit_q, before_q, offcurve_q, infinite_q, negated_q, fault_q, squared_zero;
  logic [7:0] key_index_q;
  logic [4:0] wipe_q;
  logic lambda_q, mu_q;             // are in their registers
  assign unit_rst = rst || state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED;

  ty_sequencer #(
      .FIELDS(FIELDS), .D(D)
  ) sequencer (
      .clk(clk), .rst(rst), .start(start), .stop(abort), .field(field), .steps(steps),
      .b_is_one(b_is_one_q[context_q]), .squarer_done(squarer_done), .units(word),
      .exponent(exponent), .ended(ended), .illegal(illegal)
  );

  always_comb begin
    case (word.cond)
      C_KEY:      choice = bit_q ^ before_q;
      C_LAST:     choice = bit_q;
      C_INFINITE: choice = infinite_q;
      C_NEGATED:  choice = negated_q;
      default:    choice = 1'b0;
    endcase
    read_address_a = word.ra[4] ? {1'b1, context_q, word.ra[1:0]} : word.ra;
    read_address_b = word.rb[4] ? {1'b1, context_q, word.rb[1:0]} : word.rb;
    if (SELECT_BY_ADDRESS && word.sop == S_SEL && choice) read_address_a = read_address_b;
    if (get) read_address_a = slot == SLOT_RESULT_X ? 5'd14 : 5'd15;
    case (word.sop)
      S_XOR:   value = read_a ^ read_b;
      S_SEL:   value = !SELECT_BY_ADDRESS && choice ? read_b : read_a;
      default: value = read_a;
    endcase
    squarings = word.cnt == 2'd2 ? exponent : {7'd0, word.cnt[0]};
  end

  ty_gf2m_mul #(
      .FIELDS(FIELDS), .D(D), .N(N)
  ) multiplier (
      .clk(clk), .rst(unit_rst), .field(field), .load(word.mul), .a(read_a), .b(read_b), .product(product)
  );

  ty_gf2m_square #(
      .FIELDS(FIELDS), .PER_CYCLE(SQUARINGS), .N(N)
  ) squarer (
      .clk(clk), .rst(unit_rst), .field(field), .load(word.sop != S_NONE), .value(value), .count(squarings),
      .result(squared), .done(squarer_done)
  );
  assign squared_zero = squared == '0;

  ty_random #(
      .N(N), .RANDOMISE(RANDOMISE)
  ) random (
      .clk(clk), .rst(rst), .mask(mask), .restart(idle && (context_we || config_we)), .in_valid(random_valid),
      .in_ready(random_take), .in_data(random_data), .valid(element_valid), .taken(element_taken),
      .element(element)
  );
  assign element_taken = idle && element_valid && !random_ready && !put && !context_we && !config_we;
  assign random_ready = lambda_q && mu_q;

  // One writer at a time: the program, the host, the random port, zeros.
  always_comb begin
    write = 1'b0;
    write_address = {1'b0, word.wa};
    write_data = '0;
    if (state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED) begin
      write = 1'b1;
      write_address = wipe_q;
    end else if (put) begin
      write = 1'b1;
      write_data = data_q[N-1:0];
      write_address = slot_curve ? {1'b1, context_q, slot[1:0]} : {1'b0, slot};
    end else if (element_taken) begin
      write = 1'b1;
      write_data = element;
      write_address = lambda_q ? 5'd5 : 5'd2;
    end else begin
      write = word.w != W_NONE;
      write_data = word.w == W_MUL ? product : squared;
    end
  end

  ty_regfile #(
      .N(N)
  ) regfile (
      .clk(clk), .we(write), .waddr(write_address), .wdata(write_data), .raddr_a(read_address_a),
      .raddr_b(read_address_b), .rdata_a(read_a), .rdata_b(read_b)
  );

  // --- State -------------------------------------------------------------------------------------
  logic wiped, failed, ran_q, keep_q;   // a run has ended; and its result survives the wipe
  assign failed = (CHECK_POINT && offcurve_q) || fault_q;
  assign wiped = wipe_q == (state_q == WIPE_ALL ? 5'd31 : keep_q ? 5'd13 : 5'd15);
  assign busy = !idle;
  assign locked = state_q == LOCKED;
  assign done = state_q == WIPE && wiped && ran_q;
  assign infinite = infinite_q && result_valid;

  always_comb begin
    state_next = state_q;
    case (state_q)
      WIPE_ALL: if (wiped) state_next = READY;
      READY: begin
        if (start) state_next = RUN;
        else if (zeroise || abort) state_next = WIPE;
      end
      RUN: if (abort || ended) state_next = WIPE;
      WIPE: if (wiped) state_next = READY;
      default: state_next = LOCKED;
    endcase
    if (illegal) state_next = LOCKED;
  end

  logic final_fault;                // the last word's test, one cycle before the flag
  assign final_fault = word.test == T_FAULT && !squared_zero && !infinite_q;
  always_comb begin
    error = refused;
    if (state_next == LOCKED && !locked) error = ERR_LOCKED;
    else if (state_q == RUN && abort) error = ERR_ABORTED;
    else if (done && offcurve_q && CHECK_POINT) error = ERR_POINT;
    else if (done && fault_q) error = ERR_FAULT;
    error_set = error != ERR_NONE;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q <= WIPE_ALL;
      wipe_q <= '0;
      ran_q <= 1'b0;
      keep_q <= 1'b0;
      context_q <= '0;
      data_q <= '0;
      data_shown_q <= 1'b0;
      data_excess_q <= 1'b0;
      key_q <= '0;
      key_have_q <= '0;
      key_excess_q <= 1'b0;
      point_have_q <= '0;
      lambda_q <= 1'b0;
      mu_q <= 1'b0;
      result_valid <= 1'b0;
      infinite_q <= 1'b0;
      negated_q <= 1'b0;
      offcurve_q <= 1'b0;
      fault_q <= 1'b0;
      bit_q <= 1'b0;
      before_q <= 1'b0;
      key_index_q <= '0;
      cycles <= '0;
      for (int i = 0; i < 4; i++) begin
        field_q[i] <= '0;
        steps_q[i] <= '0;
        loaded_q[i] <= '0;
        b_is_one_q[i] <= 1'b0;
      end
    end else begin
      state_q <= state_next;
      wipe_q <= state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED ? wipe_q + 1'b1 : '0;

      // The host's words.
      if (idle && data_we) begin
        for (int i = 0; i < Words; i++)
          if (write_index == 3'(i)) data_q[32*i+:32] <= word_data;
        if (4'(write_index) >= 4'(Words) && word_data != '0) data_excess_q <= 1'b1;
        data_shown_q <= 1'b0;
      end
      if (idle && key_we) begin
        for (int i = 0; i < 8; i++)
          if (write_index == 3'(i)) begin
            key_q[32*i+:32] <= word_data;
            key_have_q[i] <= 1'b1;
          end
        if (|(word_data & key_spare)) key_excess_q <= 1'b1;
      end
      if (idle && context_we) context_q <= context_in;
      if (idle && config_we) begin
        field_q[context_q] <= config_field;
        steps_q[context_q] <= config_steps;
        loaded_q[context_q] <= '0;
      end
      if (put) begin
        data_q <= '0;
        if (slot_curve) loaded_q[context_q][slot[1:0]] <= 1'b1;
        else point_have_q[slot[0]] <= 1'b1;
        if (slot == SLOT_B) b_is_one_q[context_q] <= data_q == (Words * 32)'(1);
      end
      if (idle && cmd_valid && cmd == CMD_PUT) data_excess_q <= 1'b0;
      if (get) begin
        data_q <= (Words * 32)'(read_a);
        data_shown_q <= 1'b1;
      end

      // Randomness between runs.
      if (element_taken) begin
        lambda_q <= 1'b1;
        mu_q <= lambda_q;
      end

      // A run.
      if (start) begin
        key_index_q <= steps - 1'b1;
        bit_q <= 1'b0;
        before_q <= 1'b0;
        offcurve_q <= 1'b0;
        infinite_q <= 1'b0;
        negated_q <= 1'b0;
        fault_q <= 1'b0;
        result_valid <= 1'b0;
        cycles <= 32'd1;
      end else if (ran_q && (state_q == RUN || state_q == WIPE)) cycles <= cycles + 1'b1;
      if (word.key) begin
        before_q <= bit_q;
        bit_q <= key_q[key_index_q];
        key_index_q <= key_index_q - 1'b1;
      end
      case (word.test)
        T_OFFCURVE: offcurve_q <= offcurve_q || !squared_zero;
        T_INFINITE: infinite_q <= squared_zero;
        T_NEGATED:  negated_q <= squared_zero;
        T_FAULT:    fault_q <= fault_q || final_fault;
        default: ;
      endcase
      if (ended) keep_q <= !failed && !final_fault;
      if (start) ran_q <= 1'b1;
      if (abort || zeroise) begin
        ran_q <= 1'b0;
        keep_q <= 1'b0;
      end
      if (state_q == WIPE && wiped) begin
        result_valid <= keep_q;
        ran_q <= 1'b0;
      end

      // What a run, an abort or a change of context leaves behind: nothing.
      if (state_q == WIPE || state_q == LOCKED || (idle && (context_we || config_we))) begin
        key_q <= '0;
        key_have_q <= '0;
        key_excess_q <= 1'b0;
        point_have_q <= '0;
        bit_q <= 1'b0;
        before_q <= 1'b0;
        lambda_q <= 1'b0;
        mu_q <= 1'b0;
      end
      if (state_q == WIPE || state_q == LOCKED || zeroise || start) begin
        data_q <= '0;
        data_shown_q <= 1'b0;
      end
    end
  end
endmodule
