import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { pasteSkill } from '@/tests/support/task-fixture'

const file = `
toolgate: 1
connections:
  - name: Gateway
    wire: openai-compatible
    baseUrl: http://127.0.0.1:9/v1/
    trustZone: local
    privateAddressAllowed: true
    maxTries: 2
models:
  - connection: Gateway
    model: big
    displayName: Big
    toolCalling: confirmed
    reasoningEfforts: [high, low]
    prices:
      - { validFrom: 2026-01-01T00:00:00Z, inputUsd: "0.75", outputUsd: 4.5 }
      - { validFrom: 2026-06-01T00:00:00Z, inputUsd: "0.000001", outputUsd: null }
  - { connection: Gateway, model: small, displayName: Small, enabled: false }
skills:
  - name: be-kind
    file: |
      ---
      name: be-kind
      description: Kindness
      ---
      Be kind.
  - name: look-only
    file: |
      ---
      name: look-only
      description: Looking
      allowed-tools: [fetch_logs]
      ---
      Only look.
configurations:
  - identifier: helper
    name: Helper
    model: { connection: Gateway, model: big }
    fallbacks: [{ connection: Gateway, model: small }]
    temperature: 0.5
    verbosity: low
    toolChoice: { tool: fetch_logs }
    extraBody: { zebra: 1, ant: { long: true, b: [2] } }
    noFallbackOn: [auth, connection]
    costCapUsd: "1.50"
    costCapMode: enforce
    groups: [Readers]
    skills: [{ name: look-only }, { name: be-kind, enabled: false }]
tasks:
  - identifier: greet
    name: Greet
    prompt: Hello {{name}}
    variables: [{ name: name }]
    configuration: helper
    skills: [{ name: be-kind }]
tools: [{ name: fetch_logs, enabled: false, reason: quiet }]
toolGroups: [{ name: accounts, enabled: false, reason: later }]
`

let admin: Awaited<ReturnType<typeof addPerson>>
const reason = 'From the repository'
const apply = (text: string) => applySite(admin, parseSiteFile(text), { reason })

beforeAll(async () => {
  admin = await addPerson('admin')
})

describe('a site file', () => {
  test('that needs what nobody has says so, and nothing is applied', async () => {
    const { problems } = await planSite(admin, parseSiteFile(file))
    expect(problems).toEqual([
      'The configuration helper needs the group Readers, which does not exist on this site.',
    ])
    await expect(apply(file)).rejects.toThrow('needs the group Readers')
    expect(await db().connection.count()).toBe(0)
  })

  test('that misspells a tool, a tool group or a configuration is told the nearest name', async () => {
    const text = `
toolgate: 1
configurations: [{ identifier: helper, name: Helper, allowedToolGroups: [sytem] }]
tasks: [{ identifier: greet, name: Greet, prompt: Hi, configuration: helpr }]
tools: [{ name: fetch_log, enabled: false, reason: Quiet }]
toolGroups: [{ name: acounts, enabled: false, reason: Quiet }]
`
    const { problems } = await planSite(admin, parseSiteFile(text))
    expect(problems).toEqual([
      'The configuration helper needs the tool group sytem, which does not exist on this site. Did you mean "system"?',
      'The task greet needs the configuration helpr, which does not exist on this site. Did you mean "helper"?',
      'A switch under tools needs the tool fetch_log, which does not exist on this site. Did you mean "fetch_logs"?',
      'A switch under toolGroups needs the tool group acounts, which does not exist on this site. Did you mean "accounts"?',
    ])
    await expect(apply(text)).rejects.toThrow('Did you mean "system"?')
  })

  test('is shown as a plan, applied once, and then has nothing to do', async () => {
    await groupVerbs.create(admin, { name: 'Readers' })
    const plan = await planSite(admin, parseSiteFile(file))
    expect(plan.steps.map(({ type, kind, key }) => `${type} ${kind} ${key}`)).toEqual([
      'update toolGroups accounts',
      'create tools fetch_logs',
      'create skills be-kind',
      'create skills look-only',
      'create connections Gateway',
      'create models Gateway / big',
      'create models Gateway / small',
      'create configurations helper',
      'create tasks greet',
    ])
    expect(await db().connection.count()).toBe(0)
    await apply(file)
    expect((await planSite(admin, parseSiteFile(file))).steps).toEqual([])
    const audited = await db().auditEntry.count()
    await apply(file)
    expect(await db().auditEntry.count()).toBe(audited)
  })

  test('stored what it says', async () => {
    const configuration = await db().configuration.findFirstOrThrow({
      include: { fallbacks: true, groups: true, skills: { orderBy: { position: 'asc' } } },
    })
    expect(configuration).toMatchObject({
      costCapMicroUsd: 1_500_000n,
      costCapMode: 'enforce',
      parameters: {
        temperature: 0.5,
        verbosity: 'low',
        toolChoice: { tool: 'fetch_logs' },
        extraBody: { zebra: 1, ant: { long: true, b: [2] } },
        noFallbackOn: ['connection', 'auth'],
        promptCaching: true,
      },
      skills: [{ enabled: true }, { enabled: false }],
    })
    expect([configuration.fallbacks.length, configuration.groups.length]).toEqual([1, 1])
    const prices = await db().modelPrice.findMany({ orderBy: { validFrom: 'asc' } })
    expect(prices).toMatchObject([
      { input: 750_000, output: 4_500_000 },
      { input: 1, output: null },
    ])
    expect(await db().auditEntry.count({ where: { action: 'site.apply', reason } })).toBe(1)
  })

  test('that was exported is no change, and holds no secret', async () => {
    const { id } = await db().connection.findFirstOrThrow()
    const { setConnectionKey } = await import('@/lib/domains/connections/key-verbs')
    await setConnectionKey(admin, { id, apiKey: 'sk-secret-0123456789' })
    const text = await exportSite(admin)
    expect(text).not.toContain('sk-secret')
    expect(await planSite(admin, parseSiteFile(text))).toEqual({
      steps: [],
      onlyHere: [],
      problems: [],
      notices: [],
    })
    expect(parse(text).configurations[0]).toMatchObject({
      identifier: 'helper',
      costCapUsd: '1.50',
    })
  })

  test('leaves out what is no longer installed', async () => {
    const off = { reason: 'gone', changedByLabel: 'somebody', enabled: false }
    await db().toolOverride.create({ data: { toolName: 'gone_tool', ...off } })
    const { enabled: _, ...group } = off
    await db().toolGroupOff.create({ data: { toolGroup: 'gone', ...group } })
    const text = await exportSite(admin)
    expect(text).not.toContain('gone')
    expect(await planSite(admin, parseSiteFile(text))).toEqual({
      steps: [],
      onlyHere: [],
      problems: [],
      notices: [],
    })
  })

  test('changes fields it names and leaves the rest', async () => {
    const change = `
toolgate: 1
connections: [{ name: Gateway, maxTries: 4 }]
configurations:
  - identifier: helper
    skills: [{ name: be-kind }, { name: look-only }]
    fallbacks: []
    verbosity: high
    promptedHops: 3
    enabled: false
tasks: [{ identifier: greet, prompt: "Hi {{name}}" }]
tools: [{ name: fetch_logs, enabled: true }]
`
    const plan = await apply(change)
    expect(plan.steps.map(({ key, changes }) => [key, changes.map(({ field }) => field)])).toEqual([
      ['fetch_logs', ['enabled']],
      ['Gateway', ['maxTries']],
      ['helper', ['fallbacks', 'verbosity', 'promptedHops', 'enabled', 'skills']],
      ['greet', ['prompt']],
    ])
    expect(plan.onlyHere).toContainEqual({ kind: 'models', key: 'Gateway / big' })
    expect((await planSite(admin, parseSiteFile(change))).steps).toEqual([])
    const [entry] = parse(await exportSite(admin)).configurations
    expect(entry).toMatchObject({
      name: 'Helper',
      temperature: 0.5,
      verbosity: 'high',
      promptedHops: 3,
      toolChoice: { tool: 'fetch_logs' },
      enabled: false,
      skills: [
        { name: 'be-kind', enabled: true },
        { name: 'look-only', enabled: true },
      ],
    })
  })

  test('that stops half way says where, keeps what was done, and goes on when it is right', async () => {
    const half = (bind: string) => `
toolgate: 1
connections:
  - { name: One, wire: demo, trustZone: local }
  - { name: Two, wire: openai-compatible, trustZone: external-eu, baseUrl: "${bind}" }
`
    await expect(apply(half('http://169.254.169.254/v1'))).rejects.toThrow(
      /Stopped at the connection Two, after 1 of 2 changes/,
    )
    expect((await apply(half('https://8.8.8.8/v1'))).steps.map(({ key }) => key)).toEqual(['Two'])
  })

  test('is refused as another one than was looked at', async () => {
    const text = 'toolgate: 1\ntools: [{ name: get_env, enabled: false }]'
    const options = { reason, fingerprint: 'another' }
    await expect(applySite(admin, parseSiteFile(text), options)).rejects.toThrow(
      'after you opened the plan',
    )
  })

  test('names the raised data classes that a connection trusted less takes along', async () => {
    const says = (zone: string, configurations: string) => `toolgate: 1
connections: [{ name: Zoned, wire: demo, trustZone: ${zone} }]
models: [{ connection: Zoned, model: z }]
configurations:${configurations}`
    const raised = (identifier: string) =>
      `\n  - { identifier: ${identifier}, name: Z, model: { connection: Zoned, model: z }, raisedDataClass: secret-adjacent }`
    await apply(says('local', raised('named') + raised('unnamed')))
    const { steps } = await apply(says('external-eu', raised('named')))
    expect(
      steps.map(({ key, changes }) => [key, changes.map(({ field, after }) => [field, after])]),
    ).toEqual([
      [
        'Zoned',
        [
          ['trustZone', 'external-eu'],
          ['raisedDataClass of unnamed', null],
        ],
      ],
      ['named', [['raisedDataClass', 'secret-adjacent']]],
    ])
    const rows = await db().configuration.findMany({
      where: { identifier: { in: ['named', 'unnamed'] } },
      orderBy: { identifier: 'asc' },
    })
    expect(rows.map(({ raisedDataClass }) => raisedDataClass)).toEqual(['secret-adjacent', null])
    expect(
      (await planSite(admin, parseSiteFile(says('external-eu', raised('named'))))).steps,
    ).toEqual([])
  })

  test('skills that the file cannot say are problems of the plan', async () => {
    const skill = await pasteSkill(admin, 'of-the-folder')
    await db().skill.update({ where: { id: skill }, data: { source: 'folder' } })
    const { problems } = await planSite(
      admin,
      parseSiteFile(`toolgate: 1
skills:
  - { name: one, file: "---\\nname: other\\n---\\nText.\\n" }
  - { name: of-the-folder, file: "---\\nname: of-the-folder\\n---\\nText.\\n" }`),
    )
    expect(problems).toEqual([
      'The SKILL.md of the skill one has the name other. Both names must be the same.',
      'The skill of-the-folder comes from the skills folder of this site. Remove it from the file.',
    ])
  })

  test('is for admins', async () => {
    const member = await addPerson('member')
    await expect(exportSite(member)).rejects.toThrow('admin')
    await expect(planSite(member, parseSiteFile('toolgate: 1'))).rejects.toThrow('admin')
  })
})
