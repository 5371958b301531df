import type { Program } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'

/** Returns a program; null = there is none. */
export function findProgram(client: Tx, where: { id: string } | { name: string }) {
  return client.program.findUnique({ where })
}

/** Returns the programs that are switched on, by name. */
export function usablePrograms(client: Tx): Promise<Program[]> {
  return client.program.findMany({ where: { enabled: true }, orderBy: { name: 'asc' } })
}
