console.error('DATABASE_URL is missing');
process.exit(7);
