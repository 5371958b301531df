'use client'
import { useFieldState } from '@/components/forms/form-field'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'

/** The last three fields of a cron expression, by the name of a choice. */
const usualDays = {
  weekdays: { label: 'Weekdays', days: '* * 1-5' },
  daily: { label: 'Every day', days: '* * *' },
  weekly: { label: 'Every Monday', days: '* * 1' },
  monthly: { label: 'The first of the month', days: '1 * *' },
} as const
const options = [
  ...Object.entries(usualDays).map(([value, { label }]) => ({ value, label })),
  { value: 'hourly', label: 'Every hour' },
  { value: 'other', label: 'Other times', hint: 'A cron expression, below' },
]
const hourly = '0 * * * *'
const firstTime = '07:00'

/** Fills in the cron expression of usual times: every weekday at 7:00. */
export function UsualTimes() {
  const { id, value, onChange } = useFieldState<string>('cron')
  const { repeats, time } = usualTimes(value)
  const set = (name: string, at: string) => {
    if (name === 'other') return
    onChange(name === 'hourly' ? hourly : cronOf(name, at))
  }
  return (
    <div className="grid grid-cols-[1fr_8rem] gap-3">
      <Field id={`${id}-repeats`} label="Repeats">
        {(control) => (
          <Select
            {...control}
            options={options}
            value={repeats}
            placeholder="Pick when"
            onValueChange={(name) => set(name, time ?? firstTime)}
          />
        )}
      </Field>
      {time !== null && (
        <Field id={`${id}-at`} label="At">
          {(control) => (
            <Input
              {...control}
              type="time"
              value={time}
              onChange={(event) => event.target.value !== '' && set(repeats, event.target.value)}
            />
          )}
        </Field>
      )}
    </div>
  )
}

function cronOf(name: string, time: string): string {
  const [hour, minute] = time.split(':').map(Number)
  const days = Object.entries(usualDays).find(([each]) => each === name)?.[1].days
  return `${minute} ${hour} ${days}`
}

/** Returns the choice that an expression is; `time` null = it has none of its own. */
function usualTimes(cron: string): { repeats: string; time: string | null } {
  const text = cron.trim().replaceAll(/\s+/g, ' ')
  if (text === '') return { repeats: '', time: null }
  if (text === hourly) return { repeats: 'hourly', time: null }
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) (.+)$/.exec(text) ?? []
  const found = Object.entries(usualDays).find(([, each]) => each.days === days)
  if (!found || Number(minute) > 59 || Number(hour) > 23) return { repeats: 'other', time: null }
  return { repeats: found[0], time: [hour, minute].map((part) => part?.padStart(2, '0')).join(':') }
}
