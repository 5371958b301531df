/** A program that many servers have, with rules under which it only does what it is for. */
export type KnownProgram = {
  name: string
  about: string
  /** Arguments that always come first. */
  first: string
  subcommands: string
  refused: string
}

const gitReads =
  'log show diff status blame grep ls-files ls-tree rev-parse rev-list shortlog describe cat-file'

/**
 * Programs whose options that run other programs are known and refused (SPEC B, `exec`). Interpreters and build tools are missing on
 * purpose: they run whatever they are given, so nothing but the sandbox limits them.
 */
export const knownPrograms: readonly KnownProgram[] = [
  {
    name: 'git',
    about: 'Reads the history of a repository. It changes nothing.',
    first: '--no-pager',
    subcommands: gitReads,
    refused:
      '--ext-diff --textconv --filters --open-files-in-pager -O --output --exec --upload-pack --no-index --contents --ignore-revs-file',
  },
  {
    name: 'find',
    about: 'Finds files by name, size and date.',
    first: '',
    subcommands: '',
    refused: '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from',
  },
  {
    name: 'grep',
    about: 'Finds lines in files.',
    first: '--no-messages',
    subcommands: '',
    refused: '--file -f --devices -D',
  },
  {
    name: 'rg',
    about: 'Finds lines in files, and leaves out what a repository ignores.',
    first: '--no-config',
    subcommands: '',
    refused: '--pre --pre-glob --hostname-bin --search-zip -z --file -f --ignore-file',
  },
  { name: 'ls', about: 'Lists files.', first: '', subcommands: '', refused: '' },
  { name: 'cat', about: 'Shows files.', first: '', subcommands: '', refused: '' },
  { name: 'head', about: 'Shows the beginning of files.', first: '', subcommands: '', refused: '' },
  {
    name: 'tail',
    about: 'Shows the end of files.',
    first: '',
    subcommands: '',
    refused: '--follow -f -F --retry --pid',
  },
  {
    name: 'wc',
    about: 'Counts lines, words and bytes.',
    first: '',
    subcommands: '',
    refused: '--files0-from',
  },
  {
    name: 'diff',
    about: 'Compares files.',
    first: '',
    subcommands: '',
    refused: '--to-file --from-file --paginate -l',
  },
  {
    name: 'sort',
    about: 'Sorts lines.',
    first: '',
    subcommands: '',
    refused:
      '--compress-program --output -o --temporary-directory -T --files0-from --random-source',
  },
  {
    name: 'sed',
    about: 'Shows changed lines of files. It cannot run programs or write files.',
    first: '--sandbox',
    subcommands: '',
    refused: '--in-place -i --file -f',
  },
  {
    name: 'jq',
    about: 'Picks values out of JSON.',
    first: '',
    subcommands: '',
    refused: '--from-file -f --library-path -L --slurpfile --rawfile --argfile --run-tests',
  },
  {
    name: 'tar',
    about: 'Lists and unpacks archives. It is the only one of these programs that writes files.',
    first: '--force-local --no-same-owner --no-same-permissions',
    subcommands: '-tf -tvf -xf -xvf -tzf -xzf -tjf -xjf -tJf -xJf',
    refused:
      '--to-command --use-compress-program -I --checkpoint-action --info-script --new-volume-script -F --rsh-command --rmt-command --files-from -T --directory -C --one-top-level --absolute-names -P --multi-volume -M --tape-length -L --index-file --volno-file --listed-incremental -g --incremental -G --recursive-unlink --same-owner --same-permissions --preserve-permissions -p',
  },
  {
    name: 'sha256sum',
    about: 'Computes checksums of files.',
    first: '',
    subcommands: '',
    refused: '--check -c',
  },
]

/** Settings of git that stand above those of a repository. Programs that check signatures have no keys in the sandbox. */
const gitSettings = {
  'safe.directory': '*',
  'safe.bareRepository': 'explicit',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'gpg.program': 'false',
  'gpg.x509.program': 'false',
  'gpg.ssh.program': 'false',
}

/** Variables that keep a program from what files of a workspace could make it do. */
const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  git: {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_CONFIG_COUNT: String(Object.keys(gitSettings).length),
    ...Object.fromEntries(
      Object.entries(gitSettings).flatMap(([key, value], place) => [
        [`GIT_CONFIG_KEY_${place}`, key],
        [`GIT_CONFIG_VALUE_${place}`, value],
      ]),
    ),
  },
}

const noDrivers = ['--no-ext-diff', '--no-textconv']

/** Options that stand behind the first argument, so that it does not start what the attributes of files name. */
const behind = new Map([
  [
    'git',
    new Map([
      ...['log', 'show', 'diff', 'blame'].map((each) => [each, noDrivers] as const),
      ['grep', ['--no-textconv']],
    ]),
  ],
])

/** Known programs that write files in a workspace. The others get it read-only. */
const writers: ReadonlySet<string> = new Set(['tar'])

export function isWriter(name: string): boolean {
  return writers.has(name)
}

/** Returns whether only a sandbox keeps a known program from starting others, which files of a workspace name. */
export function needsSandbox(name: string): boolean {
  return name === 'git'
}

/** Returns whether a program is called after a known one, so that what is promised of that holds for it. */
export function isKnownProgram(name: string): boolean {
  return knownPrograms.some((known) => known.name === name)
}

/** Returns the arguments of a call as the program gets them, with the options that its first argument needs. */
export function programArguments(path: string, args: readonly string[]): readonly string[] {
  const [first, ...others] = args
  const added = first === undefined ? undefined : behind.get(nameOfFile(path))?.get(first)
  return first === undefined || added === undefined ? args : [first, ...added, ...others]
}

function nameOfFile(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns the variables of a program: those of all, and what this one needs, which is the last part of its path. */
export function programEnvironment(path: string): Record<string, string> {
  const name = nameOfFile(path)
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PAGER: 'cat',
    NO_COLOR: '1',
    ...environments[name],
  }
}
