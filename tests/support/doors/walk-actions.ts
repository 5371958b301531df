import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inputJsonSchema, type Verb } from '@/lib/edge/verb'
import { schemaSample } from '@/lib/json-schema/schema-sample'
import type { ActionResult } from '@/lib/next/action'
import { browser } from '../next-request'
import type { Askers, Headers } from './askers'
import type { OthersIds } from './others-ids'
import type { Walk } from './walk'

/** Forms of people who are not signed in. */
const publicActions = [
  'app/(auth)/link-actions.ts acceptLink',
  'app/(auth)/link-actions.ts createFirstAdmin',
  'app/(auth)/sign-in/actions.ts passkeyAsSecondFactor',
  'app/(auth)/sign-in/actions.ts passkeyToSignIn',
  'app/(auth)/sign-in/actions.ts startAgain',
]

type Action = (...input: unknown[]) => Promise<ActionResult<unknown>>

/** Calls every server action as everybody who may not, with nothing and with what its verb takes about things of others. */
export async function walkActions(askers: Askers, ids: OthersIds, walk: Walk) {
  const actions = await loadActions()
  const open: string[] = []
  const forMembersToo: string[] = []
  /** Calls of a member about things of others whose input was valid. */
  let valid = 0

  const answerTo = async (act: Action, sender: Headers, input: unknown) => {
    browser.headers = new Headers({ host: 'localhost:3000', origin: thisSite, ...sender })
    browser.cookie = sender.cookie?.split('=')[1] ?? ''
    walk.verbs.take()
    walk.tried()
    const answer = await act(input).catch((error: unknown) => ({
      ok: false as const,
      error: { code: String(Object(error).digest ?? error) },
    }))
    return { code: answer.ok ? 'ok' : answer.error.code, seen: walk.verbs.take() }
  }

  for (const [name, act] of actions) {
    const isRefused = async (who: string, sender: Headers, wanted: string) => {
      const { code } = await answerTo(act, sender, {})
      if (code !== wanted) walk.isOpen(`${who}: ${name} answers ${code}, not ${wanted}`)
    }
    await walk.settle()
    const isPublic = publicActions.includes(name)
    if (isPublic) open.push(name)
    for (const [who, sender] of Object.entries(askers.strangers)) {
      if ('authorization' in sender) continue
      if (!isPublic) await isRefused(who, sender, 'unauthenticated')
      else if ((await answerTo(act, sender, {})).code === 'ok' && !isHarmless(name))
        walk.isOpen(`${who}: ${name} does it`)
    }
    await isRefused('another site', askers.elsewhere, 'forbidden')
    await walk.nothingChanged(`what was refused by ${name}`)
    if (isPublic) continue
    const member = askers.outsiders['a member’s session']
    const first = await answerTo(act, member, {})
    await walk.onlyOwnChanged(`a member: ${name}`, askers.outsiderId)
    const isOfAdmins = first.seen.called.some(({ role }) => role === 'admin')
    walk.verbs.take()
    if (name.includes('/(admin)/')) {
      if (first.code === 'forbidden') continue
      forMembersToo.push(name)
    }
    if (isOfAdmins !== (first.code === 'forbidden'))
      walk.isOpen(`a member: ${name} answers ${first.code}`)
    const [verb] = first.seen.called
    if (isOfAdmins || !verb) continue
    const sample = sampleOf(verb)
    for (const id of ids.owned) {
      const { code } = await answerTo(act, member, withId(sample, id))
      if (code !== 'invalid-input') valid += 1
      await walk.onlyOwnChanged(`a member: ${name}, of somebody else`, askers.outsiderId)
    }
  }
  for (const [name, act] of actions.filter(([each]) => !open.includes(each))) {
    const { code } = await answerTo(act, askers.session, {})
    if (/^(unauthenticated|forbidden)$/.test(code))
      walk.isOpen(`${name} refuses everybody: ${code}`)
  }
  return { doors: actions.length, open, forMembersToo, valid }
}

const thisSite = 'http://localhost:3000'

/** Requests for a passkey that anybody may have, because it opens nothing by itself. */
const isHarmless = (name: string) => name.endsWith('passkeyToSignIn')

/** Returns every function of every module of server actions. */
async function loadActions(): Promise<[name: string, act: Action][]> {
  const files = ['app', 'components', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const modules = files.filter(
    (file) => /\.tsx?$/.test(file) && /^\s*['"]use server['"]/m.test(readFileSync(file, 'utf8')),
  )
  const found: [string, Action][] = []
  for (const file of modules.toSorted()) {
    const exported: object = await import(/* @vite-ignore */ resolve(file))
    for (const [name, value] of Object.entries(exported)) found.push([`${file} ${name}`, value])
  }
  return found
}

function sampleOf(definition: Verb['definition']): unknown {
  return schemaSample(inputJsonSchema({ definition } as Verb))
}

/** Returns a sample in which every id is this one. */
function withId(sample: unknown, id: string): unknown {
  return JSON.parse(JSON.stringify(sample ?? {}), (key, value) =>
    typeof value === 'string' && /^id$|Id$/.test(key) ? id : value,
  )
}
