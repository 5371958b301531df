import { denialWords } from '@/lib/protocol/gate-answers'
import type { DenialPart, GateName } from '@/lib/protocol/tool'

/** Subject of a refusal; null: not known, or none. `part`: see `DenialPart`. */
export type GateSubject = {
  toolName: string
  configurationId: string | null
  userId: string | null
  /** The task whose skills count beside the configuration's; left out = none. */
  taskId?: string | null
  part?: DenialPart
}

/**
 * The page where an admin sees or changes the cause of a gate's refusal. `see`: the text of a link that stands alone.
 * `after`: its text after the gate's own sentence.
 */
export type GatePlace = { label: string; see: string; after: string; href: string }

/**
 * `short` completes "Denied: …". `also`: another page that may help. `ask`: what members read about whom to ask; null = the gate's
 * reason says it.
 */
type GateWords = {
  short: string
  where: GatePlace | null
  also: GatePlace | null
  ask: string | null
}

type Page =
  | 'tools'
  | 'limit'
  | 'server'
  | 'user'
  | 'skills'
  | 'trust'
  | 'tool-groups'
  | 'approvals'
  | 'freeze'
  | 'rules'
  | 'key'
  | 'accounts'

/** Gates that are missing here have no page. */
const pages: Partial<Record<GateName, Page>> = {
  pinned: 'server',
  frozen: 'freeze',
  group: 'tools',
  enabled: 'tools',
  role: 'user',
  configuration: 'tool-groups',
  'trust-zone': 'trust',
  skills: 'skills',
  rule: 'rules',
  flow: 'approvals',
  rate: 'limit',
  approval: 'rules',
  credentials: 'accounts',
}

const asks: Partial<Record<GateName, string>> = {
  registered: 'If you need this tool, ask an admin.',
  pinned: 'Ask an admin to review it.',
}

/**
 * Returns what a gate's refusal means. The link leads to the tool, configuration or task itself when `about` names it.
 */
export function gateWords(gate: GateName, about: GateSubject | null = null): GateWords {
  const words = {
    short: denialWords({ gate, ...(about?.part && { part: about.part }) }),
    also: null,
    ask: asks[gate] ?? null,
  }
  if (gate === 'registered') {
    if (isOfServer(about)) return { ...words, where: placeOf('server', about) }
    return { ...words, where: placeOf('tools', null), also: allServers }
  }
  const page = about?.part === 'api-key' ? 'key' : pages[gate]
  const where = page === undefined ? null : placeOf(page, about)
  // A tool that nobody accepted is off, too.
  const also = gate === 'enabled' && isOfServer(about) ? placeOf('server', about) : null
  return { ...words, where, also }
}

/** A tool that does not exist here may be one of a server that nobody added yet. */
const allServers: GatePlace = { ...under('Servers', '/servers'), after: 'See all servers' }

/** Returns whether it is about a name like that of a server's tool, as in `files__read_file`. */
function isOfServer(about: GateSubject | null): boolean {
  return about !== null && /^[a-z0-9_]+__[a-z0-9_]+$/.test(about.toolName)
}

function placeOf(page: Page, about: GateSubject | null): GatePlace {
  // A task's page shows its configuration's skills as well.
  if (page === 'skills' && about?.taskId) return under('Tasks', `/tasks/${about.taskId}`)
  switch (page) {
    case 'tools': {
      if (about) return under('Tools', `/tools?search=${encodeURIComponent(about.toolName)}`)
      return { ...under('Tools', '/tools'), after: 'See all tools' }
    }
    case 'limit':
      return about
        ? under('Tools', `/tools/${encodeURIComponent(about.toolName)}#limit`)
        : placeOf('tools', null)
    case 'server':
      return under('Servers', isOfServer(about) ? `/servers/of/${about?.toolName}` : '/servers')
    case 'user':
      return under('Users', about?.userId ? `/users/${about.userId}` : '/users')
    case 'key':
      return under('Users', about?.userId ? `/users/${about.userId}#api-keys` : '/users')
    case 'skills':
    case 'trust':
    case 'tool-groups':
    case 'approvals': {
      const id = about?.configurationId
      const place = anchorOf(page, about?.part)
      return under('Configurations', id ? `/configurations/${id}${place}` : '/configurations')
    }
    case 'freeze':
      return { ...under('Freeze', '#site-freeze'), see: whoFroze, after: whoFroze }
    case 'accounts':
      return under('Your account', '/account#accounts')
    case 'rules':
      return under('Rules', '/approvals/rules')
    default:
      return page satisfies never
  }
}

/** Returns the part of the page after "#"; "" for the switch, which is at the top of the page. */
function anchorOf(
  page: 'skills' | 'trust' | 'tool-groups' | 'approvals',
  part: DenialPart | undefined,
): string {
  return part === 'switch' ? '' : `#${part ?? page}`
}

const whoFroze = 'See who froze it'

function under(label: string, href: string): GatePlace {
  const see = `See it under ${label}`
  return { label, see, after: see, href }
}
