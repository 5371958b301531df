import type { Command } from 'commander'
import { printJson } from '../print'
import { examineCommand } from '../serve-protocol'
import type { Finding } from './finding'

/** Adds what the doctor asks a running server: the checks that depend on its environment, as JSON. */
export function addExamineCommand(program: Command): void {
  program.command(examineCommand, { hidden: true }).action(async () => {
    const { examineContents } = await import('./examine-contents')
    const { env } = await import('@/lib/kernel/env')
    const findings: Finding[] = []
    for await (const each of examineContents(env().TOOLGATE_URL)) findings.push(each)
    printJson(findings)
  })
}
