import type { AdminWaiting } from '@toolgate/server/doors/overview/read-admin-overview'
import type { OwnOverview } from '@toolgate/server/doors/overview/read-own-overview'
import { countOf } from '@/lib/words/format'

/** Something that waits: how many, in words that begin with the number, and the page that lists exactly these. */
export type WaitingLine = { href: string; count: number; words: string }

/** Returns what waits for an admin; what does not wait is left out. */
export function adminLines(waiting: AdminWaiting): WaitingLine[] {
  const { approvals, definitions, servers, changedSkills, missingSkills, hosts } = waiting
  const {
    failing,
    paused,
    needsAttention,
    budgets,
    unpriced,
    stalePrices,
    consents,
    blocked,
    redChecks,
    backupDays,
    isBackupScheduled,
  } = waiting
  return present([
    line('/approvals?who=me', approvals, 'call', 'waiting for approval'),
    asking(consents),
    line('/schedules', blocked, 'schedule', 'stopped or waiting for consent'),
    {
      href: '/servers?review=waiting',
      count: definitions,
      words: `${countOf(definitions, 'tool')} of ${countOf(servers, 'server')} to review`,
    },
    line('/skills?state=changed', changedSkills, 'changed skill file'),
    line('/skills?state=missing', missingSkills, 'missing skill file'),
    line('/resources/hosts#asked', hosts, 'host', 'asked for'),
    line('/connections?state=failing', failing, 'failing connection'),
    line('/connections?state=open', paused, 'paused connection'),
    line('/connections?state=trouble', needsAttention, 'connection', 'to check'),
    red(redChecks),
    line('/budgets?used=80', budgets, 'budget', 'at 80 % or more'),
    line('/models?price=missing', unpriced, 'model', 'in use without a price'),
    line('/models?price=stale', stalePrices, 'price', 'to check'),
    {
      href: '/settings/backups',
      count: backupDays,
      words: `${countOf(backupDays, 'day')} without a backup${isBackupScheduled ? '' : ', none scheduled'}`,
    },
  ])
}

/** Returns what waits for a member, and what of theirs waits for other people. */
export function ownLines({
  approvals,
  mine,
  consents,
  redChecks,
}: Pick<OwnOverview, 'approvals' | 'mine' | 'consents' | 'redChecks'>): WaitingLine[] {
  const others = approvals - mine
  return present([
    line('/approvals?who=me', mine, 'call', 'waiting for your approval'),
    asking(consents),
    line('/approvals', others, 'call', 'waiting for somebody else'),
    red(redChecks),
  ])
}

function asking(consents: number): WaitingLine {
  return line('/approvals#schedules', consents, 'schedule', 'asking to run as you')
}

function red(checks: number): WaitingLine {
  return line('/checks?state=red', checks, 'check', 'that did not pass')
}

/** Returns the line of a list: `thing` is counted, `rest` follows it. */
function line(href: string, count: number, thing: string, rest?: string): WaitingLine {
  return { href, count, words: [countOf(count, thing), rest].filter(Boolean).join(' ') }
}

function present(lines: readonly WaitingLine[]): WaitingLine[] {
  return lines.filter(({ count }) => count > 0)
}
