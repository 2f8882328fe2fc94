// Point multiplication kP on curves over the fields of a set and, where GENERIC is not 0, over any other of
// degree up to GENERIC, between a host port and a random port.
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
//
// In a generic context the curve memory holds M, too, and all elements are aligned at the top of the
// registers. Each has one representation there, so that sums, tests and the ladder need not know.
module ty_core
  import ty_field_pkg::*;
  import ty_word_pkg::*;
  import ty_core_pkg::*;
#(
    parameter int FIELDS            = 4,    // mask: bit i for field i of ty_field_pkg
    parameter int D                 = 55,   // bits of a digit of the multiplier
    parameter int SQUARINGS         = 1,    // a cycle, in named fields: 1 or 2
    parameter int GENERIC           = 0,    // the largest degree of generic mode, above D; 0: there is none
    parameter int GENERIC_SQUARER   = 0,    // 1: its squarings have a unit, 0: they are products
    parameter int DIVIDER           = 0,    // inverts: 0 never, 1 in generic mode, 2 in named fields, too
    parameter bit RANDOMISE         = 1,    // 0: coordinates are not randomised, START does not wait
    parameter bit CHECK_POINT       = 1,    // 0: the host answers for P being on the curve
    parameter bit SELECT_BY_ADDRESS = 0,    // 1: the key bit chooses a register's address, else a multiplexer
    parameter int N                 = width(FIELDS, GENERIC, D)
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
    input  config_t     config_in,
    output config_t     config_now,
    output logic        slow,
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
  localparam int Words = GENERIC != 0 ? 8 : (N + 31) / 32;
  localparam int DataBits = 32 * Words;
  localparam int Digits = (N + D - 1) / D;
  localparam int TopBits = $clog2(Digits + 1);

  // Each state is two bits from every other.
  typedef enum logic [3:0] {
    WIPE_ALL = 4'b0000, READY = 4'b0011, RUN = 4'b0101, WIPE = 4'b0110, LOCKED = 4'b1001
  } state_t;
  state_t state_q, state_next;

  // --- Contexts ----------------------------------------------------------------------------------
  logic [1:0] context_q;
  config_t    config_q[4];
  logic [3:0] loaded_q[4];          // a, b, root, M
  logic       b_is_one_q[4];
  logic [7:0] gap_q[4];             // m - k, or D where that is less
  logic [2:0] field;
  logic [7:0] steps, degree, gap;
  logic       context_good, degree_good, generic;
  logic [3:0] loaded;
  logic [N-1:0] mask, low;          // bits of an element of the field, and of 1
  logic [TopBits-1:0] top;          // generic mode: c - 1, at least 1, and how far c digits reach beyond m
  logic [7:0] offset;
  assign config_now = config_q[context_q];
  assign context_now = context_q;
  assign field = config_now.field;
  assign steps = config_now.steps;
  assign degree = config_now.degree;
  assign gap = gap_q[context_q];
  assign generic = GENERIC != 0 && config_now.generic;
  assign slow = generic && gap < 8'(D);
  function automatic logic [N-1:0] mask_of(input logic [2:0] number);   // 0 where it is not built in
    mask_of = '0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && number == 3'(i)) mask_of = ~({N{1'b1}} << field_m(i));
  endfunction
  assign mask = generic ? ~({N{1'b1}} >> degree) : config_now.generic ? '0 : mask_of(field);
  assign loaded = loaded_q[context_q];
  assign degree_good = degree > 8'd2 && 9'(GENERIC) - 9'(degree) < 9'd256;     // not below zero
  assign context_good = steps > 8'd1 && mask != '0 && &loaded[2:0] && (!generic || (loaded[3] && degree_good));
  function automatic logic [TopBits-1:0] top_of(input logic [7:0] m);
    top_of = TopBits'(1);
    for (int i = 2; i < Digits; i++) if (9'(m) > 9'(i * D)) top_of = TopBits'(i);
  endfunction
  assign top = top_of(degree);
  assign low = generic ? mask & ~(mask << 1) : N'(1);
  assign offset = 8'(D * (32'(top) + 1)) - degree;

  // --- Host's registers --------------------------------------------------------------------------
  logic [DataBits-1:0] data_q, data_mask, data_one;
  logic [N-1:0] data_element;
  logic [7:0] data_gap;
  logic data_shown_q, data_excess_q, data_range;
  logic [255:0] key_q;
  logic [7:0] key_have_q;
  logic key_excess_q;
  logic [1:0] point_have_q;
  logic [31:0] key_spare;           // bits of this word that the ladder would not look at
  logic operands;
  assign data_mask = generic ? ~({DataBits{1'b1}} >> degree) : DataBits'(mask);
  assign data_one = generic ? DataBits'(low) << (DataBits - N) : DataBits'(1);
  assign data_element = generic ? data_q[DataBits-1-:N] : data_q[N-1:0];
  assign data_range = data_excess_q || |(data_q & ~data_mask) ||
                      (slot == SLOT_POLY && (data_q & data_one) == '0);   // t would divide M
  function automatic logic [7:0] gap_of(input logic [DataBits-1:0] rest);   // t^m - rest: m - k
    gap_of = 8'(D);
    for (int i = D - 1; i > 0; i--) if (i <= DataBits && rest[DataBits-i]) gap_of = 8'(i);
  endfunction
  assign data_gap = gap_of(data_q);
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
  assign slot_curve = slot == SLOT_A || slot == SLOT_B || slot == SLOT_ROOT ||
                      (slot == SLOT_POLY && generic);
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
  logic ended, illegal, squarer_done, other_done, inverse_done, choice, step, divides;
  logic [7:0] exponent, squarings;
  logic [N-1:0] read_a, read_b, write_data, product, squared, value, element, other, poly_q;
  logic [7:0] folds_q;
  logic to_squarer, to_other, to_divider;
  logic [4:0] read_address_a, read_address_b, write_address;
  logic write, unit_rst, element_valid, element_taken;
  logic bit_q, before_q, offcurve_q, infinite_q, negated_q, fault_q, squared_zero;
  logic [7:0] key_index_q;
  logic [4:0] wipe_q;
  logic lambda_q, mu_q;             // are in their registers
  assign unit_rst = rst || state_q == WIPE || state_q == WIPE_ALL || state_q == LOCKED;

  ty_sequencer #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER), .D(D), .TopBits(TopBits)
  ) sequencer (
      .clk(clk), .rst(rst), .start(start), .stop(abort), .field(field), .steps(steps),
      .b_is_one(b_is_one_q[context_q]), .generic(generic), .degree(degree), .generic_top(top),
      .divider(divides), .step(step), .units_done(squarer_done && other_done && inverse_done), .units(word),
      .exponent(exponent), .ended(ended), .illegal(illegal)
  );

  assign read_address_b = word.rb[4] ? {1'b1, context_q, word.rb[1:0]} : word.rb;
  always_comb begin
    case (word.cond)
      C_KEY:      choice = bit_q ^ before_q;
      C_LAST:     choice = bit_q;
      C_INFINITE: choice = infinite_q;
      C_NEGATED:  choice = negated_q;
      default:    choice = 1'b0;
    endcase
  end
  always_comb begin
    read_address_a = word.ra[4] ? {1'b1, context_q, word.ra[1:0]} : word.ra;
    if (SELECT_BY_ADDRESS && word.sop == S_SEL && choice) read_address_a = read_address_b;
    if (get) read_address_a = slot == SLOT_RESULT_X ? 5'd14 : 5'd15;
    if (start) read_address_a = {1'b1, context_q, 2'd3};
    case (word.sop)
      S_XOR:   value = read_a ^ read_b;
      S_SEL:   value = !SELECT_BY_ADDRESS && choice ? read_b : read_a;
      default: value = read_a;
    endcase
  end
  assign squarings = word.cnt == 2'd2 ? exponent : {7'd0, word.cnt[0]};
  assign to_divider = word.sop != S_NONE && word.cnt == 2'd3;
  assign to_other = word.sop != S_NONE && ^word.cnt && GENERIC_SQUARER != 0 && generic;
  assign to_squarer = word.sop != S_NONE && !to_divider && !to_other;

  // A step takes as many cycles as a digit of D bits takes folds, each of m - k bits.
  assign step = !generic || 9'(folds_q) + 9'(gap) >= 9'(D);
  always_ff @(posedge clk) begin
    if (rst || state_q != RUN || step) folds_q <= '0;
    else folds_q <= folds_q + gap;
  end

  ty_gf2m_mul #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .D(D), .N(N), .TopBits(TopBits)
  ) multiplier (
      .clk(clk), .rst(unit_rst), .field(field), .load(word.mul), .a(read_a), .b(read_b),
      .generic(generic), .step(step), .poly(poly_q), .offset(offset), .generic_top(top), .product(product)
  );

  ty_other #(
      .FIELDS(FIELDS), .GENERIC(GENERIC), .GENERIC_SQUARER(GENERIC_SQUARER), .DIVIDER(DIVIDER), .D(D), .N(N),
      .TopBits(TopBits)
  ) others (
      .clk(clk), .rst(unit_rst), .field(field), .generic(generic), .degree(degree), .poly(poly_q), .low(low),
      .offset(offset), .top(top), .step(step), .divide(to_divider), .square(to_other), .value(value),
      .count(squarings), .divides(divides), .result(other), .divided(inverse_done), .squared(other_done)
  );

  ty_gf2m_square #(
      .FIELDS(FIELDS), .PER_CYCLE(SQUARINGS), .N(N)
  ) squarer (
      .clk(clk), .rst(unit_rst), .field(field), .load(to_squarer), .value(value), .count(squarings),
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
      write_data = data_element;
      write_address = slot_curve ? {1'b1, context_q, slot[1:0]} : {1'b0, slot};
    end else if (element_taken) begin
      write = 1'b1;
      write_data = element;
      write_address = lambda_q ? 5'd5 : 5'd2;
    end else begin
      write = word.w != W_NONE;
      write_data = word.w == W_MUL ? product : word.w == W_OTHER ? other : squared;
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
  assign wiped = wipe_q == (state_q == WIPE_ALL ? 5'd31 : keep_q && !abort ? 5'd13 : 5'd15);
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
  end
  assign error_set = error != ERR_NONE;

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
      poly_q <= '0;
      for (int i = 0; i < 4; i++) begin
        config_q[i] <= '0;
        gap_q[i] <= '0;
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
        config_q[context_q] <= config_in;
        loaded_q[context_q] <= '0;
      end
      if (put) begin
        data_q <= '0;
        if (slot_curve) loaded_q[context_q][slot[1:0]] <= 1'b1;
        else point_have_q[slot[0]] <= 1'b1;
        if (slot == SLOT_B) b_is_one_q[context_q] <= data_q == data_one;
        if (slot == SLOT_POLY) gap_q[context_q] <= data_gap;
      end
      if (idle && cmd_valid && cmd == CMD_PUT) data_excess_q <= 1'b0;
      if (get) begin
        data_q <= generic ? DataBits'(read_a) << (DataBits - N) : DataBits'(read_a);
        data_shown_q <= 1'b1;
      end

      // Randomness between runs.
      if (element_taken) begin
        lambda_q <= 1'b1;
        mu_q <= lambda_q;
      end

      // A run.
      if (start) begin
        poly_q <= read_a;
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
      if (state_q == WIPE || state_q == LOCKED || zeroise || (idle && abort) || start) begin
        data_q <= '0;
        data_shown_q <= 1'b0;
      end
    end
  end
endmodule
