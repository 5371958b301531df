import { expect, test } from 'vitest'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

test('commands add, change, show and delete a schedule', async () => {
  // No run starts, so this address gets no request.
  const site = await addRunSite('http://127.0.0.1:9')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const at = ['--at', '0 7 * * 1-5', '--configuration', site.configuration, '--prompt', 'Report.']
  const added = await toolgate(['schedule', 'add', 'By hand', ...at, '--disabled', '--json'])
  const { id, ...schedule } = JSON.parse(added.stdout)
  expect(schedule).toMatchObject({
    name: 'By hand',
    timeZone: 'UTC',
    missed: 'skip',
    enabled: false,
    next: [],
    configuration: { id: configurationId },
  })
  const { email } = (await addPerson('admin')).actor
  const change = ['--run-as', email, '--missed', 'once', '--name', 'Renamed', '--reason', 'asked']
  expect(await toolgate(['schedule', 'edit', id, ...change])).toMatchObject({ code: 0, stderr: '' })
  expect((await toolgate(['schedule', 'enable', id])).stdout).toBe('The schedule is on.\n')
  const shown = (await toolgate(['schedule', 'show', id])).stdout
  expect(shown).toMatch(/^ID +NAME +STATE +TIMES +RUNS +RUN AS +NEXT\n/)
  expect(shown).toContain('At 07:00, Monday through Friday, ')
  expect(shown).toContain(email)
  expect(shown).toContain('cron: 0 7 * * 1-5\n')
  expect(shown.match(/^next: /gm)).toHaveLength(5)
  expect(shown).toContain(`starts nothing: ${email} has not agreed that it runs as them.\n`)
  expect((await toolgate(['schedule', 'list'])).stdout).toMatch(/Renamed .* Waiting for consent/)
  const request = (await toolgate(['schedule', 'consents', '--as', email])).stdout
  expect(request).toMatch(
    new RegExp(`${id} +waiting +Renamed +At 07:00, Monday through Friday, UTC`),
  )
  const denied = await toolgate(['schedule', 'deny', id, '--as', email])
  expect(denied.stdout).toBe('Denied. The schedule starts nothing.\n')
  const withdrawn = await toolgate(['schedule', 'withdraw', id, '--as', email])
  expect(withdrawn.stdout).toBe('Withdrawn. The schedule starts nothing.\n')
  expect(await toolgate(['schedule', 'withdraw', id])).toMatchObject({ code: 1, stdout: '' })
  for (const wrong of [['--missed', 'twice'], ['--name'], ['--when', 'now']]) {
    expect(await toolgate(['schedule', 'edit', id, ...wrong])).toMatchObject({
      code: 2,
      stdout: '',
    })
  }
  const unknown = await toolgate(['schedule', 'edit', id, '--configuration', 'nowhere'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect((await toolgate(['schedule', 'add', 'Other', '--at', '0 7 * * *'])).code).toBe(2)
  expect((await toolgate(['schedule', 'remove', id])).stdout).toBe('Deleted the schedule.\n')
  expect(await db().schedule.count({ where: { id } })).toBe(0)
})
