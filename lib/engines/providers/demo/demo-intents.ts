import { assetIntents } from './demo-asset-intents'
import { dataIntents } from './demo-data-intents'
import { fileIntents } from './demo-file-intents'
import { expressionOf, zoneOf } from './demo-places'
import {
  type Args,
  addressOf,
  type Before,
  type Intent,
  isWord,
  numbersOf,
  placeAt,
  quotesOf,
  type Step,
  textFrom,
} from './demo-step'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The tools that plain words can ask for, in the order in which they are tried. */
export const intents: readonly Intent[] = [
  { tool: 'spawn_run', says: /^(?:ask|have) the configuration\b/, read: runOf },
  {
    tool: 'memory_write',
    says: /^(?:remember|keep in mind|note that|forget)\b|\bremember that\b/,
    read: memoryOf,
  },
  {
    tool: 'memory_read',
    says: /\b(?:do you remember|you remember about|your (?:notes|memory)|know about me)\b/,
    read: (step) => withQuery(quotesOf(step)[0] ?? after(step, 'about')),
  },
  { tool: 'verify', says: /^(?:check|verify|does|is)\b/, read: checkOf },
  {
    tool: 'probe_url',
    says: /\bprobe\b|\bhow (?:does|do)\b.*\banswer\b/,
    read: (step) => given({ url: addressOf(step) }),
  },
  {
    tool: 'get_page_content',
    says: /\bcontents? of the page\b|\bpage\b.*\bsite\b/,
    read: (step) => given({ url: addressOf(step) }),
  },
  {
    tool: 'get_page_tree',
    says: /\b(?:list|show|which|what|how many)\b.*\bpages\b/,
    read: (step) => given({ site: placeIn(step, 'site') }),
  },
  {
    tool: 'fetch_url',
    says: /\b(?:read|fetch|open|get|load|show|visit|look|summari[sz]e|what|says?)\b/,
    read: (step) => given({ url: addressOf(step) }),
  },
  {
    tool: 'web_search',
    says: /\b(?:search|look|find)\b.*\b(?:web|internet|online)\b|^google\b|\bweb search\b/,
    read: (step) => given({ query: queryOf(step) }),
  },
  ...dataIntents,
  ...assetIntents,
  ...fileIntents,
  {
    tool: 'current_time',
    says: /\b(?:what|which|tell|current|show)\b.*\b(?:time|date|day|weekday)\b/,
    read: (step) => zoneArgs(step),
  },
  {
    tool: 'calculate',
    says: /^(?:calculate|compute|work out|what is|what's|how much is|what are)\b/,
    read: (step) => given({ expression: calculationOf(step) }),
  },
  {
    tool: 'get_runtime_info',
    says: /\b(?:node(?:\.js)? version|version of node(?:\.js)?|uptime|operating system|what (?:does )?this server run|has (?:this|the) server been (?:up|running)|memory of (?:this|the) server)\b/,
    read: () => ({}),
  },
  { tool: 'send_message', says: /^(?:send|post)\b/, read: messageOf },
  {
    tool: 'get_last_exception',
    says: /\b(?:last|latest|newest) exception\b/,
    read: () => ({}),
  },
  {
    tool: 'get_system_status',
    says: /\b(?:status of (?:the|this) (?:system|installation|site|server)|system status)\b/,
    read: () => ({}),
  },
  {
    tool: 'list_dependencies',
    says: /\b(?:list|show|which|what|how many)\b.*\b(?:dependencies|packages)\b/,
    read: () => ({}),
  },
  {
    tool: 'list_schedules',
    says: /\b(?:list|show|which|what|how many)\b.*\bschedules\b/,
    read: () => ({}),
  },
  { tool: 'get_env', says: /\benvironment variables?\b/, read: () => ({}) },
  {
    tool: 'fetch_logs',
    says: /\b(?:show|read|list|look|what|which|get|fetch|find|latest|last|newest)\b.*\blogs?\b/,
    read: logsOf,
  },
  {
    tool: 'list_groups',
    says: /\b(?:list|show|which|what|how many)\b.*\bgroups\b/,
    read: () => ({}),
  },
  {
    tool: 'list_users',
    says: /\bwho (?:may|can) sign in\b|\b(?:list|show|which|who|how many)\b.*\b(?:users|accounts|admins|people)\b/,
    read: () => ({}),
  },
]

/** Returns the arguments when none is missing; null otherwise. */
function given(args: Args): Args | null {
  return Object.values(args).some((each) => each === null || each === undefined) ? null : args
}

/** Returns the text after the first of these words; "" when it has none of them. */
function after(step: Step, ...words: string[]): string {
  const at = step.tokens.findIndex((token) => isWord(token, ...words))
  return at === -1 ? '' : textFrom(step, at + 1)
}

/** Returns the name of a place that a step names, such as a site; null = it names none. */
function placeIn(step: Step, noun: string): string | null {
  return step.tokens[placeAt(step, noun)]?.text ?? null
}

function withQuery(query: string): Args {
  return query === '' || query.toLowerCase() === 'me' ? {} : { query: query.slice(0, 200) }
}

function memoryOf(step: Step): Args | null {
  const { tokens, words } = step
  const note = tokens.find(({ text }) => uuid.test(text))?.text
  if (words.startsWith('forget')) return note === undefined ? null : { mode: 'delete', note }
  const at = tokens.findIndex((token) => isWord(token, 'remember', 'mind', 'note'))
  const isThat = isWord(tokens[at + 1], 'that')
  const content = textFrom(step, at + (isThat ? 2 : 1))
  return content === '' ? null : { mode: 'add', content }
}

function queryOf(step: Step): string | null {
  const { tokens } = step
  const quoted = quotesOf(step)[0]
  if (quoted !== undefined) return quoted
  const whole = after(step, 'for', 'about', 'up', 'google')
  if (whole !== '') return whole.replace(/\s+(?:on|in) the (?:web|internet)$/i, '')
  const at = tokens.findIndex((token) => isWord(token, 'find', 'search'))
  const query = textFrom(step, at + 1).replace(/\s*(?:on|in)? ?the (?:web|internet)$/i, '')
  return query === '' ? null : query
}

function zoneArgs({ tokens }: Step): Args {
  const zone = zoneOf(tokens.map(({ text }) => text))
  if (zone !== null) return { zone }
  const at = tokens.findLastIndex((token) => isWord(token, 'in'))
  const named = at === -1 ? undefined : tokens[at + 1]?.text
  return named === undefined ? {} : { zone: named }
}

function calculationOf(step: Step): string | null {
  const quoted = quotesOf(step)[0]
  if (quoted !== undefined) return expressionOf(quoted)
  const at = step.tokens.findIndex((token) =>
    isWord(token, 'calculate', 'compute', 'out', 'is', "what's", 'are'),
  )
  return expressionOf(textFrom(step, at + 1))
}

/** Returns the message and its channel: "Send TEXT to the channel NAME". */
function messageOf(step: Step): Args | null {
  const { tokens } = step
  const to = tokens.findLastIndex((token) => isWord(token, 'to'))
  const at = tokens.findIndex((token, index) => index > to && !isWord(token, 'the', 'channel'))
  if (to < 2 || at === -1) return null
  const text = textFrom({ ...step, tokens: tokens.slice(0, to) }, 1)
  return { channel: textFrom(step, at), text }
}

/** Returns the arguments of "Ask the configuration demo: …": what it is asked may itself ask for any tool. */
function runOf(step: Step): Args | null {
  const [, , , configuration, ...prompt] = step.tokens
  if (!configuration || prompt.length === 0) return null
  const named = configuration.text.replace(/:$/, '')
  return { configuration: named, prompt: textFrom({ ...step, tokens: prompt }, 0) }
}

const levels = ['error', 'warn', 'info', 'debug']

function logsOf(step: Step): Args {
  const level = levels.find((each) => step.words.includes(each))
  const [limit] = numbersOf(step)
  return { ...(level && { level }), ...(limit !== undefined && { limit }) }
}

/** Returns whether a step asks about the proposal of a coordination, which its proposer does not have. */
export function isAboutProposal({ words }: Step): boolean {
  return /^(?:check|verify|does|is)\b.*\bthe proposal\b/.test(words)
}

function checkOf(step: Step, { proposal }: Before): Args | null {
  const check = oneCheck(step, proposal ?? null)
  return check && { checks: [check] }
}

function oneCheck(step: Step, proposal: string | null): Args | null {
  const { tokens, words } = step
  const quoted = tokens.flatMap((t) => (t.kind === 'word' ? [] : [t.text]))
  const ofProposal = isAboutProposal(step)
  if (ofProposal && proposal === null) return null
  const [text, ...values] = ofProposal ? [String(proposal), ...quoted] : quoted
  const url = addressOf(step)
  if (text === undefined) return url === null ? null : { kind: 'url_head', url }
  if (/\bjson\b/.test(words)) return { kind: 'json_valid', text }
  if (/\bcharacters\b/.test(words)) {
    return given({ kind: 'min_length', text, length: numbersOf(step)[0] })
  }
  if (values.length === 0) return null
  if (/\bmatch(?:es)?\b/.test(words)) return { kind: 'regex_match', text, pattern: values[0] }
  if (/\bnot contain\b/.test(words)) return { kind: 'not_contains', text, values }
  if (!/\bcontains?\b/.test(words)) return null
  const how = /\ball\b/.test(words) ? '_all' : /\bany\b/.test(words) ? '_any' : ''
  return { kind: `contains${how}`, text, values }
}
