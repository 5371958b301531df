import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { type ComparedFigure, figureWords } from '@/lib/protocol/run/compare-runs'

/** Shows tokens, cost and time of both runs, with the difference in words. */
export function ComparedFigures({ figures }: { figures: readonly ComparedFigure[] }) {
  return (
    <Table aria-label="Tokens, cost and time">
      <thead>
        <tr>
          <TableHead>Figure</TableHead>
          <TableHead>Before</TableHead>
          <TableHead>After</TableHead>
          <TableHead>Difference</TableHead>
        </tr>
      </thead>
      <tbody>
        {figures.map(({ name, label, before, after, difference }) => (
          <TableRow key={name}>
            <th scope="row" className="px-3 py-2 text-left align-top font-normal">
              {label}
            </th>
            <TableCell className="numeric whitespace-nowrap">{figureWords(name, before)}</TableCell>
            <TableCell className="numeric whitespace-nowrap">{figureWords(name, after)}</TableCell>
            <TableCell className="numeric">{difference}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}
