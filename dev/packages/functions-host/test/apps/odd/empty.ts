console.log('no function here');
