import type { Command } from 'commander'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check this installation and say what to do; exits with 1 when something fails')
    .option('--json', 'write JSON to standard output')
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('../doctor/run-doctor')
      process.exitCode = await runDoctor(options)
    })
}
