import { randomUUID } from 'node:crypto'
import { setToolLimit } from '@/lib/domains/tool-settings/verbs'
import { governConfiguration } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { forkRun } from '@/lib/runs/fork/fork-run'
import type { StartRunInput } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import type { ApprovalSite } from './approval-site'
import { addConfiguration } from './configuration-fixture'
import { db } from './fixture-db'
import { addPerson } from './people'
import { collect, type RunSite, start } from './run-site'
import { addWireSite } from './wire-site'

/** A run that has ended, with the person who started it. */
type RunOfPerson = { kind: string; runId: string; by: Ctx }

const done = '[[then]] [[say: Done.]]'
const look = '[[call list_groups {}]]'

/** Records runs whose calls fail or are refused by gates that `recordEveryKind` has no run of, and a fork. */
export async function recordRefused(site: ApprovalSite): Promise<RunOfPerson[]> {
  const runs: RunOfPerson[] = []
  const record = async (
    kind: string,
    prompt: string,
    { on = site as RunSite, ...wishes }: Partial<StartRunInput> & { on?: RunSite } = {},
  ) => {
    const { runId } = await start(on, `${randomUUID()} ${prompt} ${done}`, wishes)
    await collect(on.admin, runId)
    runs.push({ kind, runId, by: on.admin })
    return runId
  }
  await site.addRule({ name: 'No text', toolName: 'hostile_text', action: 'deny' })
  await setToolLimit(site.admin, { toolName: 'slow_read', perRun: 1 })
  await record('refused by a rule', '[[call hostile_text {}]]')
  await record(
    'refused by a rate',
    '[[call slow_read {"ms":1}]] [[then]] [[call slow_read {"ms":1}]]',
  )
  await record('a failed call', '[[call calculate {"expression":"1 +"}]]')
  await record('a fixed temperature', look, { overrides: { temperature: 0.5 } })
  await record('several tools in order', `${look} [[then]] [[call list_users {}]] [[then]] ${look}`)
  await record(
    'refused after untrusted text',
    `[[call big_result {"kilobytes":1}]] [[then]] [[call append_line {"text":"x"}]]`,
    {
      on: await addCautious(site),
    },
  )
  await record('refused by the trust zone', '[[call get_runtime_info {}]]', {
    on: await addFar(site),
  })
  const member = await addMember(site)
  await record('refused by the role', look, { on: member })
  await record('an answer to a member', '[[call calculate {"expression":"2"}]]', { on: member })
  const slow = `${randomUUID()} ${look} [[then]] [[say slowly 60ms: one two three four]]`
  const stopped = await start(site, slow)
  await collect(site.admin, stopped.runId, { until: ({ type }) => type === 'text-delta' })
  await cancelRun(site.admin, { runId: stopped.runId })
  await collect(site.admin, stopped.runId)
  runs.push({ kind: 'stopped', runId: stopped.runId, by: site.admin })
  const original = await record('two reads', `${look} [[then]] [[call list_users {}]]`)
  const { runId } = await forkRun(site.admin, { runId: original, round: 1 })
  await collect(site.admin, runId)
  return [...runs, { kind: 'a fork', runId, by: site.admin }]
}

async function modelOf({ configuration: identifier }: RunSite): Promise<string> {
  return (await db().configuration.findFirstOrThrow({ where: { identifier } })).modelId
}

/** Adds a configuration whose runs do not write after they read untrusted text. */
async function addCautious(site: ApprovalSite): Promise<RunSite> {
  const id = await addConfiguration(site.admin, { modelId: await modelOf(site) })
  await governConfiguration(site.admin, { id, afterUntrusted: 'refuse' })
  return { admin: site.admin, configuration: id }
}

/** Adds a configuration whose provider stands far away. */
async function addFar({ admin, server }: ApprovalSite): Promise<RunSite> {
  const far = await addWireSite(admin, server.url, { wire: 'openai-compatible' })
  const { model } = await db().configuration.findFirstOrThrow({
    where: { identifier: far.configuration },
    select: { model: { select: { connectionId: true } } },
  })
  const where = { id: model.connectionId }
  await db().connection.update({ where, data: { trustZone: 'external_global' } })
  return far
}

async function addMember(site: ApprovalSite): Promise<RunSite> {
  const admin = await addPerson('member')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const members = { create: { userId: admin.actor.userId } }
  const configurations = { create: { configurationId } }
  await db().group.create({ data: { name: randomUUID(), members, configurations } })
  return { admin, configuration: site.configuration }
}
