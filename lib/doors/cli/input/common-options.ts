import { type Command, InvalidArgumentError } from 'commander'
import { nobodyCanApprove } from '@/lib/protocol/typed-confirmation'
import { parseCount, parseDecimal, parseUsd } from '@/lib/words/format'

export type CommonOptions = { as?: string; json?: boolean } & ConfirmOptions
/** Texts that confirm the effects of a change. */
export type ConfirmOptions = { confirm?: string; breakChecks?: string }

/** Adds what nearly every command takes: the account that it acts for, and whether a program reads the output. */
export function withCommonOptions(command: Command, json = true): Command {
  command.option('--as <email>', 'act for this account (default: the first admin)')
  return json ? command.option('--json', 'write JSON to standard output') : command
}

/** Adds the options that confirm a change after which nobody could approve some calls, and one that breaks policy cases. */
export function withConfirmation(command: Command, of: true | 'cases' = true): Command {
  if (of !== 'cases') {
    command.option(
      '--confirm <text>',
      `"${nobodyCanApprove}": save it although nobody could approve some calls then`,
    )
  }
  return command.option(
    '--break-checks <reason>',
    'save it although it breaks policy cases; stored in the audit',
  )
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = parseCount(text)
    if (number !== null && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
  }
}

export function decimalNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = parseDecimal(text)
    if (number !== null && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Give a number from ${min} to ${max}.`)
  }
}

/** Parses "a, b" into ["a", "b"]. */
export function nameList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => name === '')) {
    throw new InvalidArgumentError('Give names separated by commas.')
  }
  return [...new Set(names)]
}

/** Parses US dollars into whole micro-USD, digit by digit. */
export function dollars(text: string): number {
  const microUsd = parseUsd(text)
  if (microUsd !== null) return microUsd
  throw new InvalidArgumentError('Give US dollars with up to six decimals, such as 0.075.')
}

/** Parses a price in US dollars into whole micro-USD; "unknown" = null. */
export function usd(text: string): number | null {
  return text === 'unknown' ? null : dollars(text)
}
