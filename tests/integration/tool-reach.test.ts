import { expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { readToolReach } from '@/lib/toolset/tools/tool-reach'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'

test('the reach of a tool is what its switch gives or takes, whatever the switch is now', async () => {
  const site = await addRunSite('http://127.0.0.1:9')
  const { id, name } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const schedule = { name: 'Nightly', cron: '0 7 * * *', configurationId: id, prompt: 'Report.' }
  await scheduleVerbs.create(site.admin, schedule)
  const task = (identifier: string, enabled: boolean) =>
    db().task.create({
      data: { identifier, name: identifier, prompt: 'x', configurationId: id, enabled },
    })
  const [open, limited] = [await task('open', true), await task('limited', true)]
  await task('off', false)
  const skill = await db().skill.create({
    data: {
      name: 'reads-logs',
      source: 'paste',
      version: 1,
      enabled: true,
      versions: {
        create: {
          version: 1,
          allowedTools: ['fetch_logs'],
          frontMatter: {},
          body: '',
          bytes: 0,
          checksum: '0',
          createdByLabel: 'Ada',
        },
      },
    },
  })
  await db().taskSkill.create({ data: { taskId: limited.id, skillId: skill.id, position: 0 } })

  const ofEnv = await readToolReach(site.admin, 'get_env')
  expect(ofEnv.configurations).toEqual([{ id, name }])
  expect(ofEnv.schedules).toMatchObject([{ name: 'Nightly' }])
  expect(ofEnv.tasks).toEqual([{ id: open.id, name: 'open' }])
  expect(ofEnv.skills).toEqual([])
  const ofLogs = await readToolReach(site.admin, 'fetch_logs')
  expect(ofLogs.tasks.map((each) => each.name).sort()).toEqual(['limited', 'open'])
  expect(ofLogs.skills).toEqual([{ id: skill.id, name: 'reads-logs' }])

  await switchTool(site.admin, { name: 'get_env', enabled: false, reason: 'x' })
  expect(await readToolReach(site.admin, 'get_env')).toEqual(ofEnv)
  await updateConfigurationPolicy(site.admin, { id, allowedToolGroups: ['accounts'] })
  expect(await readToolReach(site.admin, 'get_env')).toEqual({
    configurations: [],
    tasks: [],
    schedules: [],
    skills: [],
  })
  await updateConfigurationPolicy(site.admin, { id, allowedTools: ['get_env'] })
  expect(await readToolReach(site.admin, 'get_env')).toEqual(ofEnv)
  const member = await addPerson('member')
  await expect(readToolReach(member, 'get_env')).rejects.toMatchObject({ status: 403 })
})
