import { knownPrograms } from '@/lib/domains/programs/shared/known-programs'
import { wordsIn } from '@/lib/domains/programs/shared/program-rules'
import type { ProgramResources, UsableProgram } from '@/lib/engines/tools/tool-resources'

/** Returns the shipped programs under their rules, and a shell without rules, which stands for a program that was taken over. */
export function knownProgramResources(over: Partial<UsableProgram> = {}): ProgramResources {
  const base = {
    network: false,
    ms: 10_000,
    memoryBytes: 256 * 1024 * 1024,
    readable: [],
    disk: { callBytes: 1024 ** 3, workspaceBytes: 1024 ** 3, freeBytes: 0 },
    isBoxed: true,
    problem: null,
    first: [],
    rules: { subcommands: [], refused: [] },
  }
  const known = knownPrograms.map(({ name, first, subcommands, refused }) => ({
    ...base,
    name,
    path: `/usr/bin/${name}`,
    first: wordsIn(first),
    rules: { subcommands: wordsIn(subcommands), refused: wordsIn(refused) },
    ...over,
  }))
  const all: UsableProgram[] = [...known, { ...base, name: 'sh', path: '/bin/sh', ...over }]
  return {
    names: async () => all.map(({ name }) => name).sort(),
    find: async (name: string) => all.find((each) => each.name === name) ?? null,
  }
}
