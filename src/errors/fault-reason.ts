/** The kinds of field faults, without the field (Contract 7.3.3). */
export const faultReasons = {
  missing: 'The field is required.',
  type: 'The value has the wrong type.',
  format: 'The value has the right type, but not the form or the range that the field asks for.',
  too_long: 'The text is too long, or the file too large.',
  too_many: 'The list is too long, or the page too large.',
  not_found: 'The value is the id of no record.',
  conflict: 'The value does not go with what is stored; `code` is then the code of the refusal.',
  not_clearable: 'The field cannot be null.',
} as const;

export type FaultReason = keyof typeof faultReasons;
