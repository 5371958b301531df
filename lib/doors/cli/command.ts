import type { Command } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { type CommonOptions, withCommonOptions, withConfirmation } from './input/common-options'
import { printJson, printLine } from './print'
import { terminal } from './terminal'

/** `args`: the values of the arguments, in their order. */
/** `options` are the command's own, so that they can be handed on as fields; `isJson`: a program reads the output. */
type Asked<O> = { ctx: Ctx; args: string[]; options: O & { reason?: string }; isJson: boolean }

/** `json`: what a program reads with `--json`. `text`: what a person reads otherwise, or prints it by itself. */
type Output = { json?: unknown; text: string | (() => void | Promise<void>); exitCode?: number }

type Spec<O> = {
  description: string
  alias?: string
  /** The words in angle or square brackets, each with its help: `{ '<id>': 'id of the budget' }`. */
  args?: Record<string, string>
  /** Adds the command's own options. */
  options?: (command: Command) => Command
  /** Adds the option `--reason`. */
  reason?: boolean
  /** Adds `--confirm` and `--break-checks`, for what may leave calls that nobody could approve; `cases`: the second alone. */
  confirms?: boolean | 'cases'
  /** Left out where a file is all that it writes. */
  json?: false
  /** Allows the command before there is an admin; the installation itself acts then. */
  beforeFirstAdmin?: boolean
  /**
   * Calls a verb for the account of `--as` and says what came of it. It imports what it needs by itself, so that help
   * loads none of it.
   */
  work: (input: Asked<O>) => Promise<Output>
}

/** Adds a command to a group and returns it: it opens the installation, acts for an account, and prints what it is told. */
export function command<O = unknown>(group: Command, name: string, spec: Spec<O>): Command {
  const { description, alias, args = {}, options, reason = false, confirms = false, json } = spec
  const made = withCommonOptions(group.command(name), json).description(description)
  if (alias) made.alias(alias)
  for (const [argument, help] of Object.entries(args)) made.argument(argument, help)
  options?.(made)
  if (reason) made.option('--reason <text>', 'reason, stored in the audit')
  if (confirms) withConfirmation(made, confirms)
  return made.action((...given: unknown[]) =>
    terminal().withInstallation(() => act(made, given, spec)),
  )
}

/** Returns the function that commander calls with the arguments, the options and the command. */
async function act<O>(made: Command, texts: unknown[], spec: Spec<O>): Promise<void> {
  const { actingCtx, actingOrInstallationCtx } = await import('./acting-ctx')
  // A command above that has the same options takes them, wherever they stand.
  const given = made.optsWithGlobals<CommonOptions>()
  const { as, json: isJson = false, confirm, breakChecks, ...options } = given
  const args = texts.slice(0, -2) as string[]
  const ctx = await (spec.beforeFirstAdmin ? actingOrInstallationCtx : actingCtx)(as, {
    ...(confirm !== undefined && { confirm }),
    ...(breakChecks !== undefined && { breakChecks }),
  })
  const own = options as O & { reason?: string }
  const { json, text, exitCode } = await spec.work({ ctx, args, options: own, isJson })
  if (isJson) printJson(json)
  else if (typeof text === 'string') printLine(text)
  else await text()
  if (exitCode !== undefined) terminal().exitCode = exitCode
}
