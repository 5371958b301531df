import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { ApprovalRuleListing } from '@/lib/approvals/schemas'
import { DeleteRule } from './delete-rule'
import { RuleScope } from './rule-scope'
import { RuleSwitch } from './rule-switch'

export function RuleTable({ rules }: { rules: ApprovalRuleListing[] }) {
  return (
    <div className="hidden md:block">
      <Table aria-label="Approval rules">
        <thead>
          <tr>
            <TableHead>State</TableHead>
            <TableHead>Name</TableHead>
            <TableHead>Stops calls of</TableHead>
            <TableHead>Added by</TableHead>
            <TableHead>Changed</TableHead>
            <TableHead>
              <span className="sr-only">Delete</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Line key={rule.id} rule={rule} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Line({ rule }: { rule: ApprovalRuleListing }) {
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell className="w-24">
        <RuleSwitch rule={rule} />
      </TableCell>
      <TableCell className="min-w-40 max-w-72">
        <Link
          href={`/approvals/rules/${rule.id}`}
          className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        >
          <VisibleText text={rule.name} />
        </Link>
      </TableCell>
      <TableCell className="min-w-56">
        <RuleScope rule={rule} />
      </TableCell>
      <TableCell className="max-w-48 truncate">{rule.createdByLabel}</TableCell>
      <TableCell className="whitespace-nowrap">
        <RelativeTime at={rule.updatedAt} />
      </TableCell>
      <TableCell className="w-10 py-1">
        <DeleteRule rule={rule} />
      </TableCell>
    </TableRow>
  )
}
