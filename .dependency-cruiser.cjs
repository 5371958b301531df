const ENGINES = 'providers|runtime|tools|mcp'
/** Domains that the others may import: the trail, the secrets, and rows of several domains. */
const SHARED_DOMAINS = 'audit|vault|rows'
/** The path before the name of a section of the console; it may contain a route group such as (admin). */
const SECTIONS = '^app/\\(console\\)/(?:|\\([^/]+\\)/)'
/** Pure code that browsers and the server run alike, and that everything may import. */
const GROUND = '^lib/(protocol|json-schema|words|shape)/'
/** Descriptions of resources, for their forms in the browser and for the server alike. */
const SHAPES = '^lib/domains/[^/]+/shape\\.ts$'
/** Pure code about one noun, for browsers and the server alike. */
const SHARED = '^lib/domains/[^/]+/shared/'
const TESTS = '\\.test\\.tsx?$|^tests/'
const forbid = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-unresolvable', {}, { couldNotResolve: true }),
    forbid('no-cycles', {}, { circular: true }),
    forbid('arrows-point-down', { path: '^(lib|components)/' }, { path: '^app/' }),
    forbid(
      'product-sees-no-author-tools',
      { path: '^(app|components|lib)/' },
      { path: '^(scripts|tools)/' },
      'what writes a migration or a tool is not there where Toolgate only runs',
    ),
    forbid(
      'running-needs-no-package-of-the-tests',
      {
        path: '^(app|components|lib|prisma)/|^[^/]+\\.ts$',
        pathNot: [TESTS, '__fixtures__|^(vitest|playwright)'],
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
      'quickstart installs `dependencies` alone',
    ),
    forbid('lib-is-headless', { path: '^lib/' }, { path: '^components/' }),
    forbid(
      'components-see-pure-code-only',
      { path: '^components/', pathNot: TESTS },
      {
        path: '^lib/',
        pathNot: [GROUND, SHAPES, SHARED],
        dependencyTypesNot: ['type-only'],
      },
      'and the folders beside it, and shapes and shared code of nouns, which are made of these alone',
    ),
    forbid(
      'shapes-run-in-browsers',
      { path: SHAPES },
      { path: '^lib/', pathNot: [GROUND, SHARED], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'shared-code-of-nouns-is-pure',
      { path: SHARED, pathNot: TESTS },
      { path: '^lib/', pathNot: [GROUND, SHAPES, SHARED] },
    ),
    forbid(
      'sections-are-strangers',
      { path: `${SECTIONS}([^/(][^/]*)/` },
      { path: `${SECTIONS}[^/(][^/]*/`, pathNot: `${SECTIONS}$1/` },
      'components/nouns holds what two sections share; the layout above them hands down what one does for others',
    ),
    forbid(
      'ground-is-a-leaf',
      { path: GROUND, pathNot: TESTS },
      { path: '^lib/', pathNot: GROUND },
    ),
    forbid(
      'shape-is-above-the-protocol',
      { path: '^lib/protocol/', pathNot: TESTS },
      { path: '^lib/shape/' },
    ),
    forbid(
      'json-schema-and-words-stand-alone',
      { path: '^lib/(json-schema|words)/', pathNot: TESTS },
      { path: '^lib/', pathNot: '^lib/$1/' },
    ),
    forbid(
      'engines-are-pure',
      { path: `^lib/engines/(${ENGINES})/`, pathNot: TESTS },
      {
        path: '^lib/(kernel/(db|env|context)|edge/|next/|auth/|domains/|toolset/|[^/]+\\.ts|runs/|probes/|site-file/|doors/)',
        pathNot: SHARED,
      },
      'state reaches an engine through its arguments',
    ),
    forbid(
      'engines-are-strangers',
      { path: `^lib/engines/(${ENGINES})/`, pathNot: TESTS },
      { path: `^lib/engines/(${ENGINES})/`, pathNot: '^lib/engines/$1/' },
    ),
    forbid(
      'domains-are-strangers',
      { path: '^lib/domains/([^/]+)/', pathNot: TESTS },
      {
        path: '^lib/domains/',
        pathNot: `^lib/domains/(($1|${SHARED_DOMAINS})/|[^/]+/(shape\\.ts$|shared/))`,
      },
      'the trail and the secrets of a write belong to its transaction; shapes and shared code are pure',
    ),
    forbid(
      'domains-see-no-engine',
      { path: '^lib/domains/', pathNot: TESTS },
      { path: `^lib/(engines/(${ENGINES})/|toolset/|[^/]+\\.ts|runs/|probes/|site-file/|doors/)` },
    ),
    forbid(
      'kernel-imports-nothing-upward',
      { path: '^lib/kernel/', pathNot: TESTS },
      { path: '^lib/', pathNot: [GROUND, '^lib/(kernel|generated)/'] },
    ),
    forbid(
      'edge-is-above-the-kernel',
      { path: '^lib/edge/', pathNot: TESTS },
      {
        path: '^lib/',
        pathNot: [GROUND, SHARED, '^lib/(edge|kernel|generated)/'],
      },
    ),
    forbid(
      'ground-carries-all',
      { path: '^lib/(installation|engines/(egress|programs))/', pathNot: TESTS },
      {
        path: `^lib/(edge|next|auth|domains|engines/(${ENGINES})|toolset|runs|probes|site-file|doors)/|^lib/[^/]+\\.ts`,
        pathNot: SHARED,
      },
      'everything stands on these; they stand on nothing above them',
    ),
    forbid(
      'runs-is-above-the-toolset',
      { path: '^lib/toolset/', pathNot: TESTS },
      { path: '^lib/(runs|probes|site-file|doors)/|^lib/[^/]+\\.ts' },
    ),
    forbid(
      'probes-stand-on-runs',
      { path: '^lib/(runs|site-file)/', pathNot: TESTS },
      { path: '^lib/(probes|doors)/' },
    ),
    forbid('prisma-stays-in-lib', { path: '^(app|components)/' }, { path: '^lib/kernel/db' }),
    forbid(
      'next-is-for-pages',
      { path: '^lib/', pathNot: ['^lib/next/', TESTS] },
      { path: '^lib/next/|^(next|react)(/|$)|^node_modules/(next|react)/' },
    ),
    forbid(
      'sign-in-stays-in-auth',
      { path: '^lib/', pathNot: '^lib/auth/' },
      { path: '^next-auth(/|$)|^node_modules/next-auth/' },
    ),
    forbid(
      'internals-of-dbos-are-in-one-file',
      { path: '^lib/', pathNot: '^lib/runs/engine/dbos-internals\\.(test\\.)?ts$' },
      { path: '^node_modules/@dbos-inc/dbos-sdk/(?!dist/src/index\\.)' },
      'its test fails when DBOS changes',
    ),
  ],
  options: {
    // Its packages are not installed with Toolgate's.
    exclude: { path: '^tools/bench/peer-loops\\.mjs$' },
    // Packages keep their names where node_modules is a link.
    preserveSymlinks: true,
    doNotFollow: { path: '^(node_modules|lib/generated)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      // Ours first: each ending that is tried before the right one asks the disk.
      extensions: ['.ts', '.tsx', '.mjs', '.mts', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
}
