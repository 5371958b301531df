import { expect, it } from 'vitest'
import type { FieldChange } from '@/lib/domains/audit/audit-diff'
import { auditedObject } from './audited-object'

type Fields = Record<string, string>

function about(action: string, objectType: string, after: Fields, before: Fields = {}) {
  const fields = Object.keys({ ...before, ...after })
  const changes: FieldChange[] = fields.map((field) => ({
    field,
    before: before[field],
    after: after[field],
    changed: before[field] !== after[field],
  }))
  return auditedObject({ action, objectType, objectId: 'id-1', changes })
}

it.each([
  [about('user.update', 'user', { email: 'a@b.c', role: 'admin' }), 'a@b.c', '/users/id-1'],
  [about('user.delete', 'user', {}, { email: 'a@b.c', name: 'Ana' }), 'a@b.c', null],
  [about('group.update', 'group', { name: 'New' }, { name: 'Old' }), 'New', '/groups/id-1'],
  [about('group.add-member', 'group', { group: 'G', email: 'a@b.c' }), 'G', '/groups/id-1'],
  [
    about('configuration.allow-group', 'configuration', { configuration: 'c', group: 'G' }),
    'c',
    '/configurations/id-1',
  ],
  [about('model.enable', 'model', { modelId: 'm', enabled: 'yes' }), 'm', '/models/id-1'],
  [about('model.delete', 'model', {}, { modelId: 'm', displayName: 'M' }), 'm', null],
  [about('task.update', 'task', { identifier: 't', version: '2' }), 't', '/tasks/id-1'],
  [about('task.delete', 'task', {}, { identifier: 't', name: 'T' }), 't', null],
  [about('access.refuse', 'page', {}), 'id-1', null],
  [about('tool.switch-off', 'tool', { enabled: 'no' }), 'id-1', '/tools?search=id-1'],
  [about('setting.update', 'setting', { a: '1' }), 'id-1', '/settings'],
  [about('approval.approve', 'approval', { tool: 't', runId: 'run-1' }), 't', '/runs/run-1'],
  [about('approval.expire', 'approval', { status: 'expired' }), null, null],
  [about('run.start', 'run', { configuration: 'c' }), null, '/runs/id-1'],
  [about('site.create', 'site', { name: 'docs' }), 'docs', '/resources/sites/id-1'],
  [
    auditedObject({ action: 'site.freeze', objectType: 'site', objectId: null, changes: [] }),
    null,
    null,
  ],
  [about('constructor.x', 'constructor', { name: 'n' }), null, null],
])('%j', (object, name, href) => {
  expect(object).toEqual({ name, href })
})
