const ENGINES = 'providers|runtime|tools|mcp'
const DOMAINS =
  'connections|models|configurations|skills|tasks|tool-settings|mcp-servers|users|settings|vault|budgets|usage|audit|api-keys|groups|approvals'
const COMPOSERS = 'toolset|runs|site-file|palette'
/** Where the sections of the console begin; a route group such as (admin) may stand in between. */
const SECTIONS = '^app/\\(console\\)/(?:|\\([^/]+\\)/)'
const TESTS = '\\.test\\.tsx?$|^tests/'
const forbid = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-unresolvable', {}, { couldNotResolve: true }),
    forbid('no-cycles', {}, { circular: true }),
    forbid('arrows-point-down', { path: '^(lib|components)/' }, { path: '^app/' }),
    forbid('lib-is-headless', { path: '^lib/' }, { path: '^components/' }),
    forbid(
      'components-see-protocol-only',
      { path: '^components/', pathNot: TESTS },
      { path: '^lib/', pathNot: '^lib/protocol/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'sections-are-strangers',
      { path: `${SECTIONS}([^/(][^/]*)/` },
      { path: `${SECTIONS}[^/(][^/]*/`, pathNot: `${SECTIONS}$1/` },
      'components/nouns holds what two sections share; the layout above them hands down what one does for others',
    ),
    forbid(
      'protocol-is-a-leaf',
      { path: '^lib/protocol/', pathNot: TESTS },
      { path: '^lib/', pathNot: '^lib/protocol/' },
    ),
    forbid(
      'engines-are-pure',
      { path: `^lib/(${ENGINES})/`, pathNot: TESTS },
      { path: `^lib/(db|env|context|auth/|(${DOMAINS}|${COMPOSERS})/)` },
      'state reaches an engine through its arguments',
    ),
    forbid(
      'engines-are-strangers',
      { path: `^lib/(${ENGINES})/`, pathNot: TESTS },
      { path: `^lib/(${ENGINES})/`, pathNot: '^lib/$1/' },
    ),
    forbid(
      'domains-are-strangers',
      { path: `^lib/(${DOMAINS})/`, pathNot: TESTS },
      { path: `^lib/(${DOMAINS}|${COMPOSERS}|${ENGINES})/`, pathNot: '^lib/($1|audit|vault)/' },
      'the trail and the secrets of a write belong to its transaction',
    ),
    forbid(
      'ground-carries-all',
      { path: '^lib/(installation|log|redaction|egress|errors|env|db|context)', pathNot: TESTS },
      { path: `^lib/(${DOMAINS}|${COMPOSERS}|${ENGINES}|auth|cli)/` },
      'everything stands on these; they stand on nothing above them',
    ),
    forbid('runs-is-the-top', { path: '^lib/toolset/', pathNot: TESTS }, { path: '^lib/runs/' }),
    forbid('prisma-stays-in-lib', { path: '^(app|components)/' }, { path: '^lib/db' }),
    forbid(
      'next-stays-at-the-edge',
      { path: '^lib/', pathNot: '^lib/(auth|action|http)' },
      { path: '^(next|next-auth)(/|$)|^node_modules/(next|next-auth)/' },
    ),
  ],
  options: {
    doNotFollow: { path: '^(node_modules|lib/generated)/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
