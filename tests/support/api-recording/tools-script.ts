import { skillText } from '../skills'
import { del, edges, get, patch, post, put, type Step } from './steps'

const tools = ['append_line', 'get_env', 'get_env_raw', 'extra', 'system']
const some = { only: tools }
const logs = skillText('read-logs', 'description: How to read logs\nallowed-tools: [get_env]\n')
const otherLogs = skillText('read-logs', 'allowed-tools: [get_env]\n', 'Other words.\n')
const version = 'a'.repeat(64)

const skills: Step[] = [
  get('/skills'),
  post('/skills', { text: logs }),
  post('/skills', { text: logs }),
  post('/skills', { text: otherLogs }, { save: { seen: 'fingerprint' } }),
  post('/skills', { text: otherLogs, confirmed: 'b'.repeat(64) }),
  post('/skills', { text: otherLogs, confirmed: '{seen}' }),
  post('/skills', { text: skillText('plain') }),
  post('/skills', { text: '---\nname: [\n---\n' }),
  post('/skills', { text: 'No front matter.' }),
  post('/skills', { text: '', confirmed: 'b'.repeat(65) }),
  post('/skills', {}),
  get('/skills'),
  get('/skills?sort=-changed'),
  get('/skills?sort=colour'),
  get('/skills/read-logs', { save: { 'read logs': 'skill.id' } }),
  get('/skills/{read logs}'),
  patch('/skills/read-logs', { enabled: false }),
  patch('/skills/read-logs', { enabled: false }),
  patch('/skills/read-logs', { enabled: true }),
  patch('/skills/read-logs', { enabled: 'no' }),
  patch('/skills/read-logs', {}),
  put('/skills/read-logs/configurations/fast', {}),
  put('/skills/read-logs/configurations/fast', { enabled: true }),
  put('/skills/{read logs}/configurations/{fast}', { enabled: false }),
  put('/skills/read-logs/configurations/fast', { enabled: true }),
  put('/skills/read-logs/configurations/fast', { enabled: 'no' }),
  put('/skills/plain/configurations/fast', { enabled: false }),
  patch('/skills/read-logs', { enabled: false }),
  patch('/skills/read-logs', { enabled: true }),
  ...edges('/skills', { GET: null, POST: { text: skillText('never') } }),
  ...edges(
    '/skills/read-logs',
    { GET: null, PATCH: { enabled: true } },
    { unknown: ['/skills/nothing', '/skills/01a20071-0000-7000-8000-000000000000'] },
  ),
  ...edges(
    '/skills/read-logs/configurations/fast',
    { PUT: { enabled: true }, DELETE: null },
    { unknown: ['/skills/nothing/configurations/fast', '/skills/plain/configurations/fsat'] },
  ),
  post('/skills/read-logs/accept', { checksum: version }),
  post(
    '/skills/read-logs/accept',
    { checksum: 'b'.repeat(64) },
    { before: 'a skill changes in its folder' },
  ),
  get('/skills/read-logs'),
  post('/skills/read-logs/accept', { checksum: 'nonsense' }),
  post('/skills/read-logs/accept', {}),
  ...edges(
    '/skills/read-logs/accept',
    { POST: { checksum: version } },
    { unknown: ['/skills/nothing/accept'] },
  ),
  post('/skills/read-logs/accept', { checksum: version }),
  post('/skills/read-logs/accept', { checksum: version }),
  del('/skills/read-logs/configurations/fast'),
  del('/skills/read-logs/configurations/fast'),
  del('/skills/plain/configurations/fast'),
]

const switches: Step[] = [
  get('/tools', some),
  put('/tools/get_env', { enabled: false, reason: 'audit on Friday' }),
  put('/tools/get_env', { enabled: false, reason: 'audit on Friday' }),
  put('/tools/get_env', { enabled: true }),
  put('/tools/get_env', {}),
  put('/tools/get_env', { enabled: 'yes', reason: 'x'.repeat(501) }),
  put('/tools/get_environment', { enabled: true }),
  put('/tools/constructor', { enabled: true }),
  get('/tools', some),
  del('/tools/get_env'),
  del('/tools/get_env'),
  del('/tools/nothing'),
  ...edges('/tools', { GET: null }).filter(({ ask }) => !ask.startsWith('GET ')),
  get('/tools', { as: 'nobody' }),
  get('/tools', { as: 'usage:read' }),
  get('/tools', { as: 'member' }),
  ...edges(
    '/tools/get_env',
    { PUT: { enabled: true }, DELETE: null },
    { unknown: ['/tools/nothing', '/tools/01a20071-0000-7000-8000-000000000000'] },
  ),
  get('/tool-groups', some),
  put('/tool-groups/system', { enabled: false }),
  put('/tool-groups/system', { enabled: false, reason: 'audit on Friday' }),
  put('/tool-groups/system', { enabled: false, reason: 'again' }),
  get('/tool-groups', some),
  get('/tools', some),
  put('/tool-groups/system', { enabled: true }),
  put('/tool-groups/system', { enabled: 'no', reason: 'x'.repeat(501) }),
  put('/tool-groups/system', {}),
  ...edges('/tool-groups', { GET: null }),
  ...edges(
    '/tool-groups/system',
    { PUT: { enabled: true } },
    { unknown: ['/tool-groups/nothing', '/tool-groups/constructor'] },
  ),
]

const explained: Step[] = [
  get('/explain', some),
  get('/explain', { as: 'member', ...some }),
  get('/explain?configuration=fast', { as: 'member', ...some }),
  get('/explain?configuration=fast', { as: 'other', ...some }),
  get('/explain?configuration={fast}&task=greet', { as: 'member', ...some }),
  get('/explain?user=member@example.org', { as: 'member', ...some }),
  get('/explain?user=other@example.org', { as: 'member' }),
  get('/explain?user={other id}', { as: 'member' }),
  get('/explain?user={other id}&configuration=fast', some),
  get('/explain?user=member@example.org&configuration=fast', some),
  get('/explain?user=nobody@example.org'),
  get('/explain?user=01a20071-0000-7000-8000-000000000000'),
  get('/explain?user='),
  get('/explain?configuration=fsat'),
  get('/explain?configuration='),
  get('/explain?task=nothing'),
  get('/explain?colour=red'),
  ...edges('/explain', { GET: null }, { members: true }),
]

export const skillsScript = skills
export const toolsScript = [...switches, ...explained]
