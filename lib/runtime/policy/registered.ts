import type { Denial } from '@/lib/protocol/outcome'

/** The answer of gate 1 for a name that the tool Map does not hold: names match exactly or not at all (SPEC T9). */
export const notRegistered: Denial = {
  allowed: false,
  gate: 'registered',
  reason: 'There is no tool with exactly this name here. The names are listed under Tools.',
}
