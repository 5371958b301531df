import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { auditedActions, lists, skillText } from '@/tests/support/skills'

const acceptRoute = apiRoute('/skills/{id}/accept')
const attachmentRoute = apiRoute('/skills/{id}/configurations/{configuration}')
const skillRoute = apiRoute('/skills/{id}')
const skillsRoute = apiRoute('/skills')

let admin: Ctx
let key: string
let reader: string
let stranger: string
let configuration: string

beforeAll(async () => {
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, 'skills:read', 'skills:write')
  reader = await apiKeyOf(admin, 'skills:read')
  stranger = await apiKeyOf(await addPerson('member'), 'skills:read', 'skills:write')
  configuration = (await addRunSite('http://127.0.0.1:9')).configuration
})
beforeEach(async () => {
  await db().skill.deleteMany()
  await db().auditEntry.deleteMany()
})

const address = '/api/v1/skills'

function add(text: string, confirmed: string | null = null, as = key): Promise<Response> {
  return ask(skillsRoute.POST, 'POST', address, { key: as, json: { text, confirmed } })
}

function show(name: string, as = key): Promise<Response> {
  return ask(skillRoute.GET, 'GET', `${address}/${name}`, { key: as, params: { id: name } })
}

function turn(name: string, enabled: unknown, as = key): Promise<Response> {
  const options = { key: as, params: { id: name }, json: { enabled } }
  return ask(skillRoute.PATCH, 'PATCH', `${address}/${name}`, options)
}

function accept(name: string, checksum: string, as = key): Promise<Response> {
  const options = { key: as, params: { id: name }, json: { checksum } }
  return ask(acceptRoute.POST, 'POST', `${address}/${name}/accept`, options)
}

function attach(name: string, json: unknown = {}, as = key): Promise<Response> {
  const options = { key: as, params: { id: name, configuration }, json }
  return ask(attachmentRoute.PUT, 'PUT', `${address}/${name}`, options)
}

function detach(name: string, as = key): Promise<Response> {
  const options = { key: as, params: { id: name, configuration } }
  return ask(attachmentRoute.DELETE, 'DELETE', `${address}/${name}`, options)
}

describe('/api/v1/skills', () => {
  test('adds, lists and shows; what is there already is replaced once that is confirmed', async () => {
    const added = await add(skillText('read-logs', lists('fetch_logs')))
    expect([added.status, await added.json()]).toMatchObject([
      201,
      { type: 'done', added: [{ name: 'read-logs', version: 1 }] },
    ])
    const changed = skillText('read-logs', lists('fetch_logs'), 'Other words.\n')
    const request = await (await add(changed)).json()
    expect(request).toMatchObject({ type: 'confirm', changes: [{ name: 'read-logs', version: 1 }] })
    const confirmed = await add(changed, request.fingerprint)
    expect([confirmed.status, await confirmed.json()]).toMatchObject([
      200,
      { type: 'done', changed: [{ name: 'read-logs', version: 2 }] },
    ])
    await add(skillText('a-skill'))
    const list = await ask(skillsRoute.GET, 'GET', `${address}?sort=-name`, { key: reader })
    const { skills } = await list.json()
    expect(skills).toMatchObject([
      { name: 'read-logs', state: 'on', version: 2, allowedTools: ['fetch_logs'], source: 'paste' },
      { name: 'a-skill' },
    ])
    expect(JSON.stringify(skills)).not.toContain('Other words.')
    const { skill } = await (await show('read-logs', reader)).json()
    expect(skill.history).toMatchObject([{ version: 2, body: 'Other words.\n' }, { version: 1 }])
    expect(await auditedActions()).toEqual(['skill.create', 'skill.update', 'skill.create'])
  })

  test('refuses what is no skill, a wrong order and what was not asked for', async () => {
    const broken = await add('---\nname: [\n---\n')
    expect([broken.status, broken.headers.get('content-type')]).toEqual([
      422,
      'application/problem+json',
    ])
    const other = ask(skillsRoute.POST, 'POST', address, { key, json: { text: 'x', source: 'y' } })
    expect((await other).status).toBe(422)
    const order = await ask(skillsRoute.GET, 'GET', `${address}?sort=colour`, { key })
    expect((await order.json()).errors).toEqual({
      sort: 'Sort by name, source, version, changed; a minus in front reverses the order.',
    })
    for (const name of ['nothing', 'constructor', '../etc']) {
      expect((await show(name)).status).toBe(404)
      expect((await turn(name, false)).status).toBe(404)
    }
  })

  test('accepts a change of the folder that was seen, and no other', async () => {
    await add(skillText('on-disk'))
    const skill = await db().skill.findFirstOrThrow()
    const checksum = 'a'.repeat(64)
    const text = { frontMatter: {}, body: '', bytes: 1, checksum, createdByLabel: 'the folder' }
    await db().skillVersion.create({ data: { skillId: skill.id, version: 2, ...text } })
    await db().skill.update({ where: { id: skill.id }, data: { pendingVersion: 2 } })
    expect((await accept('on-disk', 'b'.repeat(64))).status).toBe(409)
    expect((await accept('on-disk', 'nonsense')).status).toBe(422)
    const accepted = await accept('on-disk', checksum)
    expect(await accepted.json()).toEqual({ id: skill.id, name: 'on-disk', version: 2 })
    expect((await accept('on-disk', checksum)).status).toBe(409)
  })

  test('attaches, switches and detaches, and says where that takes the last limit away', async () => {
    await add(skillText('limit', lists('get_env')))
    const names = { skill: 'limit', configuration }
    const tools = expect.objectContaining({ left: 1 })
    const on = { ...names, attached: true, enabled: true, changed: true, limitGone: [], tools }
    expect(await (await attach('limit')).json()).toEqual(on)
    expect(await (await attach('limit')).json()).toEqual({ ...on, changed: false })
    const gone = { changed: true, limitGone: [configuration] }
    expect(await (await attach('limit', { enabled: false })).json()).toEqual({
      ...on,
      ...gone,
      enabled: false,
      tools: expect.objectContaining({ left: 13, without: 13 }),
    })
    await attach('limit')
    expect(await (await turn('limit', false)).json()).toMatchObject({ enabled: false, ...gone })
    await turn('limit', true)
    expect(await (await detach('limit')).json()).toEqual({ ...names, attached: false, ...gone })
    expect(await (await detach('limit')).json()).toMatchObject({ changed: false })
    const audited = await auditedActions()
    expect(audited.slice(0, 3)).toEqual([
      'skill.create',
      'configuration.add-skill',
      'configuration.switch-off-skill',
    ])
    expect(audited.at(-1)).toBe('configuration.remove-skill')
    await attach('limit', { enabled: false })
    expect((await auditedActions()).slice(audited.length)).toEqual(['configuration.add-skill'])
  })

  test('is for admins with the scope, and nothing else is written', async () => {
    await add(skillText('one'))
    const before = await auditedActions()
    const refused = await Promise.all([
      ask(skillsRoute.GET, 'GET', address, { key: stranger }),
      show('one', stranger),
      ...[reader, stranger].flatMap((as) => [
        add(skillText('two'), null, as),
        turn('one', false, as),
        accept('one', 'a'.repeat(64), as),
        attach('one', {}, as),
        detach('one', as),
      ]),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(await auditedActions()).toEqual(before)
  })
})
