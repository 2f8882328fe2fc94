// A word of the microprogram. rtl/ucode/model.py lists the same fields.
package ty_word_pkg;
  localparam int WORD_BITS = 52;
  localparam int ADDRESS_BITS = 9;

  typedef enum logic [1:0] {S_NONE, S_XOR, S_PASS, S_SEL} s_op_t;
  typedef enum logic [1:0] {C_KEY, C_LAST, C_INFINITE, C_NEGATED} cond_t;
  typedef enum logic [1:0] {W_NONE, W_MUL, W_SQR, W_OTHER} write_t;
  typedef enum logic [2:0] {
    T_NONE, T_OFFCURVE, T_INFINITE, T_NEGATED, T_FAULT, T_UNUSED5, T_UNUSED6, T_UNUSED7
  } test_t;
  typedef enum logic [3:0] {
    CTL_NEXT,             // the next word follows
    CTL_COUNT,            // the loop's counter = steps of the ladder - target
    CTL_LOOP,             // to target while the counter is not 0; counts down
    CTL_JUMP,
    CTL_JUMP_B1,          // where b = 1
    CTL_JUMP_UNLESS_BIT,  // where the current bit of m - 1 is 0
    CTL_JUMP_UNTIL_INV,   // advances to the next bit of m - 1; to target unless there is none
    CTL_END,              // in the first part of a sum: to target, and the second part begins
    CTL_JUMP_GENERIC,     // in generic mode
    CTL_JUMP_DIVIDER,     // where the divider inverts
    CTL_EXPONENT,         // the loop's counter = exponent of the inversion - 1
    CTL_JUMP_UNLESS_SECOND,   // unless this is the second part of a sum
    CTL_UNUSED12, CTL_UNUSED13, CTL_UNUSED14, CTL_UNUSED15
  } ctl_t;

  // What the units do in this cycle; most significant field first.
  typedef struct packed {
    // the second multiplier's product is added to what w writes to wa, or written alone
    logic       add2;
    logic       mul2;   // the second multiplier takes A and B
    // B is the value that this word writes, and is not read from the registers
    logic       fb;
    logic       fa;     // the same for A
    logic       key;    // next bit of the scalar
    test_t      test;   // the flag that the squarer's result sets
    logic [3:0] wa;
    // the unit whose result is written to wa; OTHER: the divider or generic mode's squarer
    write_t     w;
    // squarings: none, one, as many as the exponent; 3: the value goes to the divider
    logic [1:0] cnt;
    cond_t      cond;
    s_op_t      sop;    // the squarer takes A + B, A, or B where cond and else A
    logic       mul;    // the multiplier takes A and B
    logic [4:0] rb;
    logic [4:0] ra;
  } units_t;

  typedef struct packed {
    logic [ADDRESS_BITS-1:0] target;
    ctl_t        ctl;
    logic        expo;  // exponent of the inversion = 2 exponent + bit of m - 1
    logic [5:0]  delay; // the steps that the word waits for before it is executed, negated
    logic        hold;  // wait until the squarers and the divider are done
    units_t      units;
  } word_t;
endpackage
