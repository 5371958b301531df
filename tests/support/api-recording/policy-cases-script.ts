import { del, edges, get, nobody, patch, post, type Step } from './steps'

const sums = {
  name: 'Sums',
  toolName: 'calculate',
  arguments: { expression: '1+1' },
  configuration: 'fast',
  personGroup: 'Team',
  expects: 'refused',
  gate: 'configuration',
}

/** The requests about policy cases. */
export const policyCasesScript: Step[] = [
  get('/policy-cases'),
  post('/policy-cases', sums, { save: { case: 'policyCase.id' } }),
  post('/policy-cases', sums),
  post('/policy-cases', { ...sums, name: 'Typo', toolName: 'calculat' }),
  post('/policy-cases', { ...sums, name: 'Nobody', personGroup: null }),
  post('/policy-cases', { ...sums, name: 'Gate', expects: 'allowed' }),
  post('/policy-cases', {}),
  get('/policy-cases?sort=-verdict&search=calc'),
  get('/policy-cases?sort=colour'),
  get('/policy-cases/{case}'),
  patch('/policy-cases/{case}', {}),
  patch('/policy-cases/{case}', { gate: null, reason: 'Any gate will do' }),
  ...edges('/policy-cases', { GET: null, POST: sums }),
  ...edges(
    '/policy-cases/{case}',
    { GET: null, PATCH: { gate: null }, DELETE: null },
    { unknown: nobody('policy-cases') },
  ),
  del('/policy-cases/{case}?reason=ended'),
]
