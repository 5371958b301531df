import { edges, get, nobody, patch, type Step } from './steps'

const only = ['Recorded', 'Fast']

/** Keys of the API, as an admin lists and limits them. The key belongs to a member of the team. */
export const apiKeysScript: Step[] = [
  get('/api-keys', { only }),
  patch('/api-keys/{key}', {
    tools: ['append_line'],
    configurations: ['fast'],
    reason: 'enough',
  }),
  patch('/api-keys/{key}', { tools: ['append_line'] }),
  get('/api-keys', { only }),
  patch('/api-keys/{key}', { tools: ['read_asset_mata'] }),
  patch('/api-keys/{key}', { tools: ['list_users'] }),
  patch('/api-keys/{key}', { toolGroups: ['accounts'] }),
  patch('/api-keys/{key}', { toolGroups: ['acounts'] }),
  patch('/api-keys/{key}', { configurations: ['fats'] }),
  patch('/api-keys/{key}', { tools: 'all', colour: 'red' }),
  patch('/api-keys/{key}', { tools: null, configurations: null }),
  patch('/api-keys/{key}', {}),
  ...edges('/api-keys', { GET: null }),
  ...edges('/api-keys/{key}', { PATCH: {} }, { unknown: nobody('api-keys') }),
]
