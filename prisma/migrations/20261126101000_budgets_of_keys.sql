-- AlterEnum
ALTER TYPE "BudgetScope" ADD VALUE 'key';
