import type { Denial, GateAnswer, GateName, gateNames, Verdict } from './tool'

type AskedGate = (typeof gateNames)[number]

/**
 * `yes` completes "Allowed: …". `said`: when a yes is listed. `configured`: with a configuration. `limited`: for a
 * tool that has a limit. `never`: only some tools, or runs that have read something, meet this gate.
 */
type GateText = {
  name: string
  yes: string
  said: 'always' | 'configured' | 'limited' | 'never'
}

const askedGates: Record<AskedGate, GateText> = {
  registered: { name: 'installation', yes: 'installed', said: 'always' },
  frozen: { name: 'freeze', yes: 'site not frozen', said: 'always' },
  group: { name: 'tool group', yes: 'group on', said: 'always' },
  enabled: { name: 'switch', yes: 'switched on', said: 'always' },
  role: { name: 'role', yes: 'role allowed', said: 'always' },
  configuration: { name: 'configuration', yes: 'configuration allows it', said: 'configured' },
  'trust-zone': { name: 'trust zone', yes: 'data class fits the trust zone', said: 'configured' },
  skills: { name: 'skills', yes: 'skills allow it', said: 'configured' },
  selection: { name: 'picked tools', yes: 'picked for this run', said: 'always' },
  pinned: { name: 'accepted definition', yes: 'definition accepted', said: 'never' },
  rule: { name: 'rules', yes: 'no rule refuses it', said: 'configured' },
  rate: { name: 'limit of calls', yes: 'within its limit', said: 'limited' },
  flow: { name: 'untrusted reads', yes: 'nothing untrusted was read before it', said: 'never' },
  credentials: { name: 'connected account', yes: 'account connected', said: 'never' },
}

const denials: Record<GateName, string> = {
  registered: 'no tool of this name is available',
  frozen: 'this site is frozen',
  group: 'its group is switched off',
  enabled: 'switched off for this site',
  role: 'only admins may use it',
  configuration: 'the configuration does not allow it',
  'trust-zone': 'its data may not go to this provider',
  skills: 'the skills of this run do not allow it',
  selection: 'not picked for this run',
  pinned: 'its definition is not the accepted one',
  rule: 'a rule refuses it',
  rate: 'its limit of calls is used up',
  flow: 'the run has read what others can write',
  credentials: 'the account that it needs is not connected',
  offer: 'it was not offered in this round',
  'round-limit': 'too many calls in one round',
  'hop-budget': 'the run made all its tool requests in text',
  'run-ended': 'the run ended before this call began',
  state: 'the switches could not be read',
  approval: 'it needed approval',
  'cost-cap': 'the run reached its cost cap',
  canary: 'its arguments contain the canary',
}

/** The names of the gates that are asked only inside a run. */
const furtherNames: Record<Exclude<GateName, AskedGate>, string> = {
  offer: 'offer',
  'round-limit': 'calls of a round',
  'hop-budget': 'requests in text',
  'run-ended': 'end of the run',
  state: 'switches',
  approval: 'approval',
  'cost-cap': 'cost cap',
  canary: 'canary',
}

/**
 * Returns the words when a gate denies, which complete "Denied: …" where they stand alone: a gate's reason says it
 * itself.
 */
export function denialWords({ gate, part }: Pick<Denial, 'gate' | 'part'>): string {
  if (part === 'group') return 'the groups of the person do not allow it'
  if (part === 'nested') return 'this run may not start runs'
  return part === 'api-key' ? 'its API key may not use it' : denials[gate]
}

/** Returns the name of a gate, to stand before its reason: "Denied (role): Only admins may use this tool." */
export function gateTitle({ gate, part }: Pick<Denial, 'gate' | 'part'>): string {
  if (part === 'api-key') return 'API key'
  if (part === 'group') return 'group of people'
  if (part === 'nested') return 'runs in runs'
  return isAsked(gate) ? askedGates[gate].name : furtherNames[gate]
}

function isAsked(gate: GateName): gate is AskedGate {
  return Object.hasOwn(askedGates, gate)
}

// Object.keys loses the type of the keys. They stand in the order in which the gates are asked.
const askedNames = Object.keys(askedGates) as AskedGate[]
const order: readonly GateName[] = askedNames

/** All gates, for choices. */
export const everyGate = Object.keys(denials) as GateName[]

/**
 * Returns every gate with its answer, in the order they are asked (SPEC G). The first no ends the question:
 * gates after it were not asked. `used` says what is used of the tool's limit; null: it has none.
 */
export function gateAnswers(
  verdict: Verdict,
  { withConfiguration, used = null }: { withConfiguration: boolean; used?: string | null },
): GateAnswer[] {
  const no = verdict.allowed ? null : denialAnswer(verdict)
  const end = no ? order.indexOf(no.gate) : askedNames.length
  if (no && end === -1) return [no]
  return askedNames.flatMap((gate, place): GateAnswer[] => {
    if (no && place === end) return [no]
    const { name, yes, said } = askedGates[gate]
    if (said === 'never' || (said === 'limited' && used === null)) return []
    const wasAsked = place < end && (withConfiguration || said !== 'configured')
    return [
      wasAsked
        ? {
            gate,
            answer: 'yes',
            words: said === 'limited' && used !== null ? `${yes} (${used})` : yes,
          }
        : { gate, answer: 'not-asked', words: name },
    ]
  })
}

function denialAnswer(denial: Denial): GateAnswer {
  return { gate: denial.gate, answer: 'no', words: denialWords(denial) }
}

/** Returns the words of all gates with this answer, separated by commas; empty when there are none. */
export function answerWords(answers: readonly GateAnswer[], answer: GateAnswer['answer']): string {
  return answers
    .filter((each) => each.answer === answer)
    .map(({ words }) => words)
    .join(', ')
}

/** Returns a decision as one or two sentences: "Allowed: installed, site not frozen, group on." */
export function decisionWords(verdict: Verdict, answers: readonly GateAnswer[]): string {
  if (!verdict.allowed) return `Denied (${gateTitle(verdict)}): ${verdict.reason}`
  const unasked = answerWords(answers, 'not-asked')
  const rest = unasked && ` Gates not asked, because no configuration is picked: ${unasked}.`
  return `Allowed: ${answerWords(answers, 'yes')}.${rest}`
}
