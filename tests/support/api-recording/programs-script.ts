import { byPerson, del, edges, get, nobody, patch, post, type Step } from './steps'

/** With a reason, so that the answers are the same on a machine without a sandbox. */
const accepted = 'This machine has nothing else on it.'
const shell = { name: 'shell', path: '/bin/sh', accepted }
/** The requests about programs. */
export const programsScript: Step[] = byPerson([
  get('/programs'),
  post(
    '/programs',
    {
      ...shell,
      first: ' -e,  -u ',
      subcommands: '-c\n-x',
      refused: '--init-file -i',
      reason: 'as agreed',
    },
    { save: { shell: 'program.id' } },
  ),
  post(
    '/programs',
    { ...shell, name: 'near', enabled: false, network: true, seconds: 5, memory: 64 },
    { save: { near: 'program.id' } },
  ),
  post('/programs', shell),
  post('/programs', { name: 'none', path: '/usr/bin/no-such-program', accepted }),
  post('/programs', { name: 'folder', path: '/usr', accepted }),
  post('/programs', { name: 'text', path: '/etc/hostname', accepted }),
  post('/programs', { name: 'relative', path: 'bin/sh', accepted }),
  post('/programs', {
    name: 'Ü',
    path: '/bin/sh',
    seconds: 0,
    memory: 1,
    refused: 'exec',
    accepted: 'yes',
  }),
  post('/programs', { ...shell, name: 'wide', readable: '/no/such/folder' }),
  post('/programs', { ...shell, name: 'wide', readable: 'opt' }),
  post('/programs', {}),
  get('/programs?sort=-path&state=off'),
  get('/programs?sort=colour'),
  get('/programs/{shell}'),
  get('/programs/shell'),
  patch('/programs/{shell}', {}),
  patch('/programs/{shell}', { enabled: false, reason: 'pause' }),
  patch('/programs/{shell}', { subcommands: null, refused: '', seconds: 300 }),
  patch('/programs/{near}', { path: '/usr/bin/no-such-program' }),
  ...edges('/programs', { GET: null, POST: { ...shell, name: 'other' } }),
  ...edges(
    '/programs/{shell}',
    { GET: null, PATCH: { name: 'other' }, DELETE: null },
    { unknown: nobody('programs') },
  ),
  del('/programs/{shell}?reason=ended'),
  del('/programs/{near}'),
])
