import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { SubjectConfiguration } from '@/lib/engines/runtime/policy/subject'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { TrustZone } from '@/lib/protocol/model/model-target'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { DataClass } from '@/lib/protocol/tool'
import { everything } from '@/lib/protocol/tool-access'
import { modelTarget, openSubject, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { configurationSubject } from './configuration-subject'
import type { PolicyState } from './read-policy-state'

type Now = Pick<PolicyState, 'configuration' | 'task' | 'connections'>

const groups = ['data', 'system', 'web']
const names = ['fetch', 'list', 'search']
const tools = groups.flatMap((group) =>
  names.flatMap((name) =>
    DataClass.options.map((dataClass) => testTool(name, { group, dataClass })),
  ),
)

/** Returns the tools that a configuration allows. The other gates allow everything. */
function allowed(configuration: SubjectConfiguration): boolean[] {
  return tools.map((tool) => decideTool(tool, { ...openSubject, configuration }).allowed)
}

function expectNarrower(narrow: SubjectConfiguration, wide: SubjectConfiguration): void {
  const [fewer, more] = [allowed(narrow), allowed(wide)]
  expect(fewer.map((yes, index) => yes && !more[index])).toEqual(fewer.map(() => false))
}

const zone = fc.constantFrom(...TrustZone.options)
const dataClass = fc.option(fc.constantFrom(...DataClass.options))
/** Selections that can be saved: every group, or some groups and single tools. */
const allowedNames = fc.oneof(
  { weight: 1, arbitrary: fc.constant(everything) },
  {
    weight: 3,
    arbitrary: fc.record({
      allowedToolGroups: fc.subarray(groups),
      allowedTools: fc.subarray([...names, 'no_such_tool']),
    }),
  },
)
const list = fc.option(fc.subarray([...names, 'no_such_tool']))
const skill = fc.record({ allowedTools: list })
const storedSkill = fc.record({
  name: fc.constant('s'),
  allowedTools: list,
  heldBack: fc.boolean(),
})

const snapshots: fc.Arbitrary<RunSnapshot> = fc
  .record({
    names: allowedNames,
    raisedDataClass: dataClass,
    skills: fc.array(skill, { maxLength: 3 }),
    zones: fc.array(zone, { minLength: 1, maxLength: 3 }),
  })
  .map(({ zones, skills, names: allowedThen, ...facts }) =>
    runSnapshot({
      ...facts,
      ...allowedThen,
      skills: skills.map(({ allowedTools }, index) => ({
        skillId: `s${index}`,
        name: `skill-${index}`,
        version: 1,
        description: '',
        checksum: '',
        allowedTools,
        body: '',
      })),
      targets: zones.map((trustZone, index) =>
        modelTarget({ trustZone, connectionId: `c${index}`, connectionName: `C${index}` }),
      ),
    }),
  )

const states: fc.Arbitrary<Now> = fc.record({
  configuration: fc.option(
    fc
      .record({
        enabled: fc.constant(true),
        isOpenToGroup: fc.constant(true),
        names: allowedNames,
        raisedDataClass: dataClass,
        fourEyes: fc.boolean(),
        afterUntrusted: fc.constantFrom(...AfterUntrusted.options),
        skills: fc.array(storedSkill, { maxLength: 3 }),
      })
      .map(({ names: allowedNow, ...facts }) => ({ ...facts, ...allowedNow })),
  ),
  task: fc.option(fc.record({ skills: fc.array(storedSkill, { maxLength: 2 }) })),
  connections: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('c0', 'c1', 'c2', 'other'),
      trustZone: zone,
      enabled: fc.constant(true),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
})

/** Returns the subject with only the snapshot. */
const then = (snapshot: RunSnapshot) =>
  configurationSubject(snapshot, { configuration: null, task: null, connections: [] })

/** Returns the subject with only the current state: a run that would start now with the same models. */
function atThisMoment(snapshot: RunSnapshot, { configuration, task, connections }: Now) {
  const zones = new Map(connections.map(({ id, trustZone }) => [id, trustZone]))
  const targets = snapshot.targets.map((target) => ({
    ...target,
    trustZone: zones.get(target.connectionId) ?? target.trustZone,
  }))
  const skillsNow = configuration && [...configuration.skills, ...(task?.skills ?? [])]
  const skills = (skillsNow ? limiting(skillsNow) : snapshot.skills).map(({ allowedTools }) => ({
    ...emptySkill,
    allowedTools,
  }))
  return then({ ...snapshot, ...configuration, skills, targets })
}

/** Lists of skills that are held back count only where no other skill lists anything, and then for what all have. */
function limiting(skills: NonNullable<Now['task']>['skills']) {
  const counting = skills.filter(({ heldBack, allowedTools }) => !heldBack && allowedTools)
  if (counting.length > 0) return counting
  const lists = skills.flatMap(({ allowedTools }) => (allowedTools ? [allowedTools] : []))
  const inAll = names.filter((name) => lists.every((list) => list.includes(name)))
  return lists.length > 0 ? [{ allowedTools: inAll }] : []
}

const emptySkill = {
  skillId: 's',
  name: 's',
  version: 1,
  description: '',
  checksum: '',
  body: '',
}

test('SPEC G-X: a run is never allowed more than when it began, nor more than if it began now', () => {
  fc.assert(
    fc.property(snapshots, states, (snapshot, now) => {
      const subject = configurationSubject(snapshot, now)
      expectNarrower(subject, then(snapshot))
      expectNarrower(subject, atThisMoment(snapshot, now))
    }),
    { numRuns: 1500 },
  )
})

test('tools that the configuration allowed at the start and still allows stay allowed', () => {
  fc.assert(
    fc.property(snapshots, states, (snapshot, now) => {
      const both = allowed(then(snapshot)).map(
        (yes, index) => yes && allowed(atThisMoment(snapshot, now))[index],
      )
      // A raised class counts only while it stands on both sides, and a zone is that of the worst moment.
      const mixed = snapshot.raisedDataClass !== now.configuration?.raisedDataClass
      if (!mixed && now.connections.length === 0) {
        expect(allowed(configurationSubject(snapshot, now))).toEqual(both)
      }
    }),
    { numRuns: 300 },
  )
})

const narrower = <S extends { allowedTools: string[] | null }>(stored: S) => ({
  ...stored,
  allowedTools: stored.allowedTools?.slice(1) ?? [],
})
const heldBack = <S>(stored: S) => ({ ...stored, heldBack: true })

const takeAway = {
  'the files of skills': (now: Now): Now => ({
    ...mapConfiguration(now, (it) => ({ ...it, skills: it.skills.map(heldBack) })),
    task: now.task && { skills: now.task.skills.map(heldBack) },
  }),
  group: (now: Now) =>
    mapConfiguration(now, (it) => ({
      ...it,
      allowedToolGroups: it.allowedToolGroups?.slice(1) ?? groups.slice(1),
    })),
  'a single tool': (now: Now) =>
    mapConfiguration(now, (it) => ({ ...it, allowedTools: it.allowedTools.slice(1) })),
  'what a skill grants': (now: Now) =>
    mapConfiguration(now, (it) => ({
      ...it,
      skills: it.skills.map(narrower),
    })),
  "what a task's skill grants": (now: Now): Now => ({
    ...now,
    task: now.task && {
      skills: now.task.skills.map(narrower),
    },
  }),
  'the raised class': (now: Now) =>
    mapConfiguration(now, (it) => ({ ...it, raisedDataClass: null })),
  trust: (now: Now): Now => ({
    ...now,
    connections: now.connections.map((each) => ({ ...each, trustZone: 'external-global' })),
  }),
}

function mapConfiguration(
  now: Now,
  change: (it: NonNullable<Now['configuration']>) => NonNullable<Now['configuration']>,
): Now {
  return { ...now, configuration: now.configuration && change(now.configuration) }
}

test.each(Object.entries(takeAway))('taking away %s gives nothing', (_what, without) => {
  fc.assert(
    fc.property(snapshots, states, (snapshot, now) => {
      expectNarrower(
        configurationSubject(snapshot, without(now)),
        configurationSubject(snapshot, now),
      )
    }),
    { numRuns: 500 },
  )
})

test('names the skills that limit, when the run began and now', () => {
  const skill = { ...emptySkill, name: 'first', allowedTools: ['a', 'b'] }
  const open = { ...emptySkill, name: 'open', allowedTools: null }
  const now = (name: string, allowedTools: string[] | null, heldBack = false) => ({
    name,
    allowedTools,
    heldBack,
  })
  const configuration = {
    enabled: true,
    isOpenToGroup: true,
    ...everything,
    raisedDataClass: null,
    fourEyes: false,
    afterUntrusted: 'ask' as const,
  }
  const stored = [now('second', ['a']), now('held', ['c'], true), now('silent', null)]
  const of = (skills: typeof stored) => {
    const state = { configuration: { ...configuration, skills }, task: null, connections: [] }
    const subject = configurationSubject(runSnapshot({ skills: [skill, open] }), state)
    return subject.limitingSkills.map(({ name }) => name)
  }
  expect(of(stored)).toEqual(['first', 'second'])
  expect(of(stored.slice(1))).toEqual(['first', 'held'])
})
