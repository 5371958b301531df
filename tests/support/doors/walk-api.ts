import type { Endpoint } from '@/lib/doors/api/endpoint'
import { endpoints } from '@/lib/doors/api/endpoints'
import { ApiScope, scopesBeyondLimits } from '@/lib/protocol/api-scope'
import { type Answer, outside, saveValues, send, settled } from '../api-recording/record-answers'
import type { RecordedSite } from '../api-recording/recorded-site'
import { scripts } from '../api-recording/scripts'
import type { Step } from '../api-recording/steps'
import type { Askers, Headers } from './askers'
import type { Walk } from './walk'

/** The askers of steps whose requests are worth trying as somebody else: those that may succeed. */
const trusted = [undefined, 'admin', 'session', 'member', 'other']

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const scopesOf = ({ scope, moreScopes = [] }: Endpoint) =>
  [scope, ...moreScopes].filter((each) => each !== null)

/**
 * Asks every endpoint as everybody who may not, each time right before or after the same request succeeds for who may. The requests
 * are those of the recorded scripts, so that each of them is valid when it is refused.
 */
export async function walkApi(site: RecordedSite, askers: Askers, walk: Walk) {
  const walked = new Set<Endpoint>()
  const succeeded = new Set<Endpoint>()
  const shown = new Set<string>()
  const beyond = new Set<string>()

  const ask = async (door: Endpoint, step: Step, who: string, headers: Headers) => {
    walk.verbs.take()
    const { response } = await send(site, step, headers)
    walk.tried()
    if (response.status >= 500) walk.isOpen(`${who}: ${nameOf(door)} answers ${response.status}`)
    return response.status
  }
  const isRefused = async (
    door: Endpoint,
    step: Step,
    who: string,
    headers: Headers,
    wanted: number,
  ) => {
    const status = await ask(door, step, who, headers)
    if (status !== wanted)
      walk.isOpen(`${who}: ${nameOf(door)} answers ${status}, not ${wanted} (${step.ask})`)
  }

  async function refuse(door: Endpoint, step: Step): Promise<void> {
    walked.add(door)
    await walk.settle()
    for (const [who, headers] of Object.entries(askers.strangers))
      await isRefused(door, step, who, headers, 401)
    for (const [who, headers] of Object.entries(askers.outsiders))
      if (door.role === 'admin') await isRefused(door, step, who, headers, 403)
    for (const missing of scopesOf(door)) {
      const others = await askers.withScopes(ApiScope.options.filter((each) => each !== missing))
      await isRefused(door, step, `a key with all scopes but ${missing}`, others, 403)
    }
    if (door.scope === null) await isRefused(door, step, 'a key', askers.everything, 403)
    if (door.method !== 'GET') await isRefused(door, step, 'another site', askers.elsewhere, 403)
    const scopes = scopesOf(door)
    if (scopesBeyondLimits(scopes).length > 0)
      await isRefused(door, step, 'a limited key', askers.limited, 403)
    else if (scopes.includes('approvals:write') || door.method === 'GET')
      await ask(door, step, 'a limited key', askers.limited)
    await walk.nothingChanged(`what was refused at ${nameOf(door)}`)
    if (door.role === 'member') await asOutsider(door, step)
  }

  /** Asks as a member who may ask, but not about things of somebody else. */
  async function asOutsider(door: Endpoint, step: Step): Promise<void> {
    for (const [who, headers] of Object.entries(askers.outsiders)) {
      const status = await ask(door, step, who, headers)
      if (status === 401) walk.isOpen(`${who}: ${nameOf(door)} does not know them`)
      if (status < 300 && door.path.includes('{')) shown.add(nameOf(door))
      await walk.onlyOwnChanged(`${who}: ${nameOf(door)}`, askers.outsiderId)
    }
  }

  /** Asks as a limited key, which changes runs, approvals and memory, and starts nothing with a configuration not its own. */
  async function asLimited(door: Endpoint, step: Step, saved: Map<string, string>): Promise<void> {
    await walk.settle()
    await send({ ...site, saved }, step, askers.limited)
    walk.tried()
    await walk.onlyWithinLimits(`a limited key: ${nameOf(door)}`)
  }

  /** Returns the answer to the first of these askers who may; those before are refused, and change nothing. */
  async function firstAdmitted(
    door: Endpoint,
    step: Step,
    who: [name: string, headers: Headers][],
  ): Promise<Answer> {
    for (const [index, [name, headers]] of who.entries()) {
      await walk.settle()
      walk.verbs.take()
      const answer = await send(site, step, headers)
      const { status } = answer.response
      const seen = walk.verbs.take()
      walk.tried()
      const isKey = 'authorization' in headers
      const asks = isKey ? seen.acts : name === 'stale' ? [...seen.acts, ...seen.proofs] : []
      walk.requested(isKey ? 'key' : name, asks)
      if (asks.length > 0 && status !== 403)
        walk.isOpen(`${name}: ${nameOf(door)} does ${asks.join()} (${status})`)
      if (status < 300 && isKey)
        for (const { name: verb, scope } of seen.called)
          if (scope !== null && !scopesOf(door).includes(scope) && !isReadOf(door, scope))
            beyond.add(`${nameOf(door)} → ${verb} (${scope})`)
      if (status < 300 && isKey && seen.proofs.length > 0) await asStale(door, step)
      if (status !== 403 || index === who.length - 1) return answer
      await walk.nothingChanged(`${name}: ${nameOf(door)}, refused`)
    }
    throw new Error('Nobody asked.')
  }

  /** Asks as a session without a recent proof, which may not do what a key did that needs one. */
  async function asStale(door: Endpoint, step: Step): Promise<void> {
    await walk.settle()
    walk.verbs.take()
    const { response } = await send(site, step, askers.stale)
    const { acts, proofs } = walk.verbs.take()
    walk.tried()
    walk.requested('stale', [...acts, ...proofs])
    if (acts.length + proofs.length > 0 && response.status !== 403)
      walk.isOpen(`stale: ${nameOf(door)} does ${[...acts, ...proofs].join()} (${response.status})`)
    await walk.nothingChanged(`stale: ${nameOf(door)}`)
  }

  async function admit(door: Endpoint | undefined, step: Step): Promise<Answer> {
    const { as = 'admin', until } = step
    if (!door || until !== undefined || (as !== 'admin' && as !== 'session'))
      return settled(site, step)
    const exact = await askers.withScopes(scopesOf(door))
    const keys: [string, Headers][] = [
      ['a key with this scope', exact],
      ['a key with all scopes', site.headersOf.admin],
    ]
    if (as === 'admin') return firstAdmitted(door, step, keys)
    return firstAdmitted(door, step, [
      ...keys,
      ['stale', askers.stale],
      ['session', askers.session],
    ])
  }

  async function walkStep(step: Step, limited: (() => Promise<void>)[]): Promise<void> {
    if (step.before) await outside[step.before]()
    const door = endpoints.find((each) => isOf(each, step.ask, site))
    const isNew = door !== undefined && !succeeded.has(door) && trusted.includes(step.as)
    if (isNew) await refuse(door, step)
    const answer = await admit(door, step)
    saveValues(site.saved, step, answer.body)
    if (!door || answer.response.status >= 300) return
    const writes = scopesOf(door).some((each) => /^(runs|memory):write$/.test(each))
    const saved = new Map(site.saved)
    if (isNew && writes) limited.push(() => asLimited(door, step, saved))
    succeeded.add(door)
  }

  for (const script of Object.values(scripts)) {
    const limited: (() => Promise<void>)[] = []
    for (const step of script) if (!step.isEdge) await walkStep(step, limited)
    // Objects that a limited key may add would disturb later steps.
    for (const each of limited) await each()
  }
  for (const door of endpoints.filter((each) => !walked.has(each))) {
    const path = door.path.replace(/\{\w+\}/g, '01a20071-0000-7000-8000-000000000000')
    await refuse(door, {
      ask: `${door.method} ${path}`,
      ...(door.method !== 'GET' && { json: {} }),
    })
  }
  return {
    doors: endpoints.length,
    /** Endpoints to which no request of the scripts succeeded. */
    unproven: endpoints.filter((each) => !succeeded.has(each)).map(nameOf),
    /** Endpoints that showed a member what is somebody else's. */
    shown: [...shown].toSorted(),
    /** Verbs that a key reached without their scope. */
    beyond: [...beyond].toSorted(),
  }
}

/** Returns whether the scope reads the noun that this endpoint changes: an answer shows what was changed. */
function isReadOf(door: Endpoint, scope: ApiScope): boolean {
  return scopesOf(door).some((each) => each.replace(':write', ':read') === scope)
}

/** Returns whether a step asks this endpoint, as the router finds it: literal parts count before parameters. */
function isOf(door: Endpoint, ask: string, { saved }: Pick<RecordedSite, 'saved'>): boolean {
  const filled = ask.replace(/\{([a-z ]+)\}/g, (whole, name) => saved.get(name) ?? whole)
  const [method, path = ''] = filled.split(/[ ?]/)
  const best = endpoints.filter((each) => each.method === method && fits(each.path, path))
  const open = (each: Endpoint) => each.path.split('{').length
  return best.toSorted((a, b) => open(a) - open(b))[0] === door
}

function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
