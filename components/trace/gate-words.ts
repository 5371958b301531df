import type { GateName } from '@/lib/protocol/outcome'

/** `short` completes "Denied: …"; `where` is the page, for admins, that shows or changes what stands behind it. */
type GateWords = { short: string; where: { label: string; href: string } | null }

const words: Record<GateName, GateWords> = {
  registered: { short: 'no tool has this name', where: { label: 'Tools', href: '/tools' } },
  frozen: { short: 'tool calling is frozen on this site', where: null },
  group: { short: 'its group is switched off', where: null },
  enabled: { short: 'switched off for this site', where: { label: 'Tools', href: '/tools' } },
  role: { short: 'only admins may use it', where: null },
  configuration: { short: 'the configuration does not allow its group', where: null },
  'trust-zone': { short: 'its data may not go to this provider', where: null },
  skills: { short: 'the skills of this run do not allow it', where: null },
  selection: { short: 'not picked for this run', where: null },
  pinned: { short: 'its definition changed since it was approved', where: null },
  offer: { short: 'it was not offered in this round', where: null },
  'round-limit': { short: 'too many calls in one round', where: null },
  'run-ended': { short: 'the run ended before it began', where: null },
  state: { short: 'the switches could not be read', where: null },
  approval: {
    short: 'it needed approval',
    where: { label: 'Approvals', href: '/approvals/rules' },
  },
  canary: { short: 'its arguments carry the canary', where: null },
}

/** What a gate's "no" means, for people. The link goes to the tool itself when it is about one. */
export function gateWords(gate: GateName, toolName: string | null = null): GateWords {
  const { short, where } = words[gate]
  if (!where || toolName === null || gate === 'registered') return { short, where }
  return {
    short,
    where: { ...where, href: `${where.href}?search=${encodeURIComponent(toolName)}` },
  }
}
